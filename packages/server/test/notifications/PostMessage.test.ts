import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { type HostAddress, hostAddresses, type ResolveHost } from "../../src/outgoing/HostAddresses.ts"
import { postMessage } from "../../src/notifications/PostMessage.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import { until } from "./Until.ts"

const SENT = { headers: { "content-type": "application/json" }, body: "{}" }

/** Long enough for a loaded machine. */
const PATIENCE_MILLIS = 60_000

const toLoopback = postMessage({ allowsPrivate: true, timeoutMillis: PATIENCE_MILLIS }, hostAddresses(true))

layer(Layer.empty, { excludeTestServices: true })("A message", (it) => {
  it.effect("has the status of its answer, whatever the body; an endless body is not read to its end", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      let isCutOff = false
      receiver.answers = (_, response) => {
        response.writeHead(200)
        const more = () => {
          while (response.write("x".repeat(65_536)));
        }
        response.on("drain", more).on("close", () => (isCutOff = true))
        more()
      }
      const { error, status } = yield* toLoopback({ ...SENT, url: `${receiver.url}/endless` })
      assert.deepStrictEqual({ error, status }, { error: null, status: 200 })
      yield* until(
        Effect.sync(() => isCutOff),
        (is) => is,
      )
      receiver.answers = 302
      assert.strictEqual((yield* toLoopback({ ...SENT, url: receiver.url })).status, 302)
    }),
  )

  it.effect("is given up at its deadline, before the answer's head or within its body", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const brief = postMessage({ allowsPrivate: true, timeoutMillis: 200 }, hostAddresses(true))
      receiver.answers = () => undefined
      const hung = yield* brief({ ...SENT, url: receiver.url })
      assert.deepStrictEqual([hung.status, hung.error], [null, "timeout"])
      receiver.answers = (_, response) => {
        response.writeHead(200)
        response.write("x")
      }
      const dripping = yield* brief({ ...SENT, url: receiver.url })
      // On a busy machine the head may be late as well.
      assert.include([200, null], dripping.status)
    }),
  )

  it.effect("without an answer says why: refused, reset, no such host, not TLS", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      receiver.answers = (request) => request.socket.destroy()
      assert.strictEqual((yield* toLoopback({ ...SENT, url: receiver.url })).error, "connection")
      assert.strictEqual((yield* toLoopback({ ...SENT, url: "http://127.0.0.1:9/" })).error, "connection")
      assert.strictEqual((yield* toLoopback({ ...SENT, url: receiver.url.replace("http:", "https:") })).error, "tls")
      receiver.answers = (_, response) => response.writeHead(101, { upgrade: "x", connection: "upgrade" }).end()
      assert.strictEqual((yield* toLoopback({ ...SENT, url: receiver.url })).error, "connection")
      const nowhere: ResolveHost = () => Promise.resolve([])
      const noHost = postMessage({ allowsPrivate: true }, hostAddresses(true, nowhere))
      assert.strictEqual((yield* noHost({ ...SENT, url: "http://dapp.example/" })).error, "dns")
    }),
  )

  it.effect("is not sent to an address that is not public, also if the host had another before", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const port = new URL(receiver.url).port
      const asked: Array<string> = []
      const answers: Array<ReadonlyArray<HostAddress>> = [
        [{ address: "8.8.8.8", family: 4 }],
        [{ address: "127.0.0.1", family: 4 }],
      ]
      const rebinding: ResolveHost = (host) => {
        asked.push(host)
        return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1]!)
      }
      const addresses = hostAddresses(false, rebinding)
      const post = postMessage({ allowsPrivate: false, timeoutMillis: PATIENCE_MILLIS }, addresses)
      // What an endpoint is created with.
      yield* Effect.promise(() => addresses("rebinding.example"))
      const { error } = yield* post({ ...SENT, url: `https://rebinding.example:${port}/` })
      assert.strictEqual(error, "refused_address")
      // Once for the connection: what was checked is what it connects to.
      assert.lengthOf(asked, 2)
      for (const url of [receiver.url, `https://127.0.0.1:${port}/`, `https://[::ffff:7f00:1]:${port}/`])
        assert.strictEqual((yield* post({ ...SENT, url })).error, "refused_address", url)
      assert.deepStrictEqual(receiver.received, [])
    }),
  )

  it.effect("connects to the address that was checked, not to what the name resolves to by itself", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const resolve: ResolveHost = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }])
      const post = postMessage({ allowsPrivate: true, timeoutMillis: PATIENCE_MILLIS }, hostAddresses(true, resolve))
      const { status } = yield* post({ ...SENT, url: receiver.url.replace("127.0.0.1", "checked.invalid") })
      assert.strictEqual(status, 204)
      assert.match(receiver.received[0]!.headers.host!, /^checked\.invalid:/)
    }),
  )

  it.effect("is aborted with its fiber", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      let isClosed = false
      receiver.answers = (request) => request.socket.on("close", () => (isClosed = true))
      const fiber = yield* Effect.forkChild(toLoopback({ ...SENT, url: receiver.url }))
      yield* until(
        Effect.sync(() => receiver.received.length),
        (count) => count > 0,
      )
      yield* Fiber.interrupt(fiber)
      yield* until(
        Effect.sync(() => isClosed),
        (is) => is,
      )
    }),
  )
})
