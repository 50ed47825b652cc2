import { assert, layer } from "@effect/vitest"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Effect, Layer, Redacted } from "effect"
import { TestServer } from "../TestServer.ts"
import { answersIn, openRaw, requestText } from "../../../http/test/RawConnection.ts"

const SECRET = "the-secret-of-the-webhook"

const delivered: Array<string> = []
const inbox = Layer.succeed(WebhookInbox, {
  receive: (body) => {
    delivered.push(Buffer.from(body).toString())
    return Effect.succeed({ accepted: body.length, unreadable: 0 })
  },
})

const chunked = (head: string, body: string) =>
  `${head.replace(/\r\n\r\n$/, "\r\ntransfer-encoding: chunked\r\n\r\n")}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

const server = TestServer.layer({ webhookSecrets: [Redacted.make(SECRET)] }).pipe(Layer.provide(inbox))

layer(server, { excludeTestServices: true })("A request for a protocol upgrade", (it) => {
  for (const protocol of ["websocket", "h2c"]) {
    const upgrade = {
      ...{ connection: "upgrade, http2-settings", upgrade: protocol, "http2-settings": "AAMAAABkAAQAAP__" },
      ...{ "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13" },
    }

    it.effect(`is answered as HTTP, and its connection is closed (${protocol})`, () =>
      Effect.gen(function* () {
        const { url } = yield* TestServer
        const delivery = { authorization: SECRET, "content-type": "application/json", ...upgrade }
        const sent = [
          requestText("GET", "/livez", upgrade),
          requestText("POST", "/api/webhooks/helius", delivery, '["of a length"]'),
          chunked(requestText("POST", "/api/webhooks/helius", delivery), '["in chunks"]'),
          requestText("POST", "/api/tokens", { "content-type": "application/json", ...upgrade }, '{"name":1}'),
        ]
        const connections = yield* Effect.forEach(sent, (text) => openRaw(url, text))
        const answers = yield* Effect.forEach(connections, ({ closed }) =>
          Effect.map(closed, (text) => answersIn(text)[0]!),
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 400],
        )
        assert.include(answers[3]!.body, "body.name")
        // They came on two connections.
        assert.sameMembers(delivered.splice(0), ['["of a length"]', '["in chunks"]'])
      }),
    )
  }
})
