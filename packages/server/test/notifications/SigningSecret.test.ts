import { assert, describe, it } from "@effect/vitest"
import { Redacted, Schema } from "effect"
import { Webhook } from "standardwebhooks"
import { secretText, signatureOf } from "../../src/notifications/SigningSecret.ts"

const [MASTER, OTHER] = [Redacted.make("m".repeat(32)), Redacted.make("o".repeat(32))]
const of = (version: number, endpointId = "e") => ({ endpointId, version })

const headersOf = (id: string, timestampSeconds: number, signature: string) => ({
  ...{ "webhook-id": id, "webhook-timestamp": String(timestampSeconds), "webhook-signature": signature },
})

describe("A signature", () => {
  it.prop(
    "is accepted by the library of Standard Webhooks, with the secret as it was given, for any content",
    [
      Schema.String.check(Schema.isGUID()),
      Schema.Json,
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99 })),
    ],
    ([id, data, version]) => {
      const timestampSeconds = Math.floor(Date.now() / 1_000)
      const body = JSON.stringify({ data })
      const signature = signatureOf({ id, timestampSeconds, body }, [MASTER], [of(version)])
      const webhook = new Webhook(secretText(MASTER, of(version)))
      const headers = headersOf(id, timestampSeconds, signature)
      assert.deepStrictEqual(webhook.verify(body, headers), JSON.parse(body))
      assert.throws(() => webhook.verify(`${body} `, headers))
      assert.throws(() => webhook.verify(body, { ...headers, "webhook-id": `${id}x` }))
      assert.throws(() => webhook.verify(body, { ...headers, "webhook-timestamp": String(timestampSeconds - 1) }))
      assert.throws(() => new Webhook(secretText(MASTER, of(version + 1))).verify(body, headers))
    },
  )

  it("is one for each version and master secret, and no secret of an endpoint is another's", () => {
    const content = { id: "m", timestampSeconds: 1, body: "{}" }
    assert.lengthOf(signatureOf(content, [MASTER, OTHER], [of(2), of(1)]).split(" "), 4)
    const secrets = [secretText(MASTER, of(1)), secretText(MASTER, of(2)), secretText(OTHER, of(1))]
    assert.lengthOf(new Set([...secrets, secretText(MASTER, of(1, "f"))]), 4)
    for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  })
})
