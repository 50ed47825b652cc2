import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { NotificationReceiver } from "../../../server/test/notifications/NotificationReceiver.ts"
import { call, deliverAll, endpoint, serverOf } from "../../../server/test/notifications/TestNotifications.ts"
import { documentedProject, filesOn, ROOT } from "../DocumentedProject.ts"

type Verified = (
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
) => { readonly type: string; readonly data: Readonly<Record<string, unknown>> }

const STRICT = ["--strict", "--noUnusedLocals", "--exactOptionalPropertyTypes", "--skipLibCheck", "--noEmit"]
const TARGET = ["--target", "es2023", "--lib", "es2023", "--module", "esnext", "--moduleResolution", "bundler"]
const TYPES = ["--typeRoots", join(ROOT, "node_modules", "@types"), "--types", "node"]

const page = documentedProject(filesOn("docs/notifications.md"))

it.effect("the code of docs/notifications.md compiles with strict settings", () =>
  Effect.gen(function* () {
    const { node } = yield* page
    const options = ["--singleThreaded", "--ignoreConfig", ...STRICT, ...TARGET, ...TYPES]
    const compiled = yield* node(join(ROOT, "node_modules", "typescript", "bin", "tsc"), ...options, "verify.ts")
    assert.deepStrictEqual(compiled, { isDone: true, text: "" })
  }).pipe(Effect.scoped),
)

layer(serverOf(), { excludeTestServices: true })("The code of docs/notifications.md", (it) => {
  it.effect(
    "verifies what is sent, also during a rotation, and nothing that was altered, is old or has another secret",
    () =>
      Effect.gen(function* () {
        const { verified } = (yield* (yield* page).load("verify.ts")) as { readonly verified: Verified }
        const receiver = yield* NotificationReceiver.make
        const { id: endpointId, secret } = yield* endpoint(receiver.url)
        yield* call("/test", { endpointId })
        yield* deliverAll
        const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]]
        assert.deepStrictEqual(verified(secret, headers, body), JSON.parse(body))
        assert.throws(() => verified(secret, headers, body.replace("test", "tesT")), /Not signed/)
        assert.throws(() => verified(secret, { ...headers, "webhook-id": "another" }, body), /Not signed/)
        const old = String(Number(headers["webhook-timestamp"]) - 301)
        assert.throws(() => verified(secret, { ...headers, "webhook-timestamp": old }, body), /Too old/)
        for (const missing of ["webhook-id", "webhook-timestamp", "webhook-signature"])
          assert.throws(
            () => verified(secret, { ...headers, [missing]: undefined }, body),
            /^(Too old|Not signed)/,
            missing,
          )
        const rotated = (yield* call("/rotate-secret", { endpointId })).body.data.secret
        assert.throws(() => verified(rotated, headers, body), /Not signed/)
        yield* call("/test", { endpointId })
        yield* deliverAll
        const { body: next, headers: signed } = receiver.received[1]!
        for (const key of [secret, rotated]) assert.strictEqual(verified(key, signed, next).type, "test")
      }),
  )
})
