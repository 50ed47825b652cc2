import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { type Got, getDocument } from "../../src/metadata/GetDocument.ts"
import { type HostAddress, hostAddresses, type ResolveHost } from "../../src/outgoing/HostAddresses.ts"
import { until } from "../notifications/Until.ts"
import { type Answers, DocumentHost, json } from "./DocumentHost.ts"

/** Long enough for a loaded machine. */
const OPTIONS = { gateways: [], allowsPrivate: true, timeoutMillis: 60_000 }

const toLoopback = getDocument(OPTIONS, hostAddresses(true))

const textOf = (got: Got) => (got.fault === undefined ? new TextDecoder().decode(got.bytes) : got.fault)

const redirect =
  (location: string, status = 302): Answers =>
  (response) =>
    void response.writeHead(status, { location }).end("moved")

layer(Layer.empty, { excludeTestServices: true })("A document", (it) => {
  it.effect("is what the host answers with 200, with the name of the host", () =>
    Effect.gen(function* () {
      const host = yield* DocumentHost.make
      host.answers.set("/1.json?a=1", json({ image: "x" }))
      const got = yield* toLoopback(`${host.url}/1.json?a=1`)
      assert.strictEqual(textOf(got), '{"image":"x"}')
      assert.strictEqual(got.fault === undefined && got.source, "127.0.0.1")
      assert.strictEqual(textOf(yield* toLoopback(`${host.url}/2.json`)), "status")
      host.answers.set("/204", (response) => void response.writeHead(204).end())
      assert.strictEqual(textOf(yield* toLoopback(`${host.url}/204`)), "status")
    }),
  )

  it.effect("has 64 KB at most, said or not, and is not unpacked", () =>
    Effect.gen(function* () {
      const host = yield* DocumentHost.make
      host.answers.set("/most", (response) => void response.end("x".repeat(65_536)))
      assert.strictEqual(textOf(yield* toLoopback(`${host.url}/most`)).length, 65_536)
      let isCutOff = false
      host.answers.set("/endless", (response) => {
        const more = () => {
          while (response.write("x".repeat(65_536)));
        }
        response.on("drain", more).on("close", () => (isCutOff = true))
        more()
      })
      host.answers.set("/said", (response) => void response.writeHead(200, { "content-length": "65537" }).write("x"))
      const bomb = gzipSync(Buffer.alloc(10_000_000))
      host.answers.set("/bomb", (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb))
      assert.strictEqual(textOf(yield* toLoopback(`${host.url}/endless`)), "too_large")
      yield* until(
        Effect.sync(() => isCutOff),
        (is) => is,
      )
      assert.strictEqual(textOf(yield* toLoopback(`${host.url}/said`)), "too_large")
      assert.strictEqual(textOf(yield* toLoopback(`${host.url}/bomb`)), "encoded")
    }),
  )

  it.effect("is given up at its deadline, before the head or within the body, and with its fiber", () =>
    Effect.gen(function* () {
      const host = yield* DocumentHost.make
      const brief = getDocument({ ...OPTIONS, timeoutMillis: 300 }, hostAddresses(true))
      host.answers.set("/hung", () => undefined)
      host.answers.set("/dripping", (response) => void response.writeHead(200).write("{"))
      assert.strictEqual(textOf(yield* brief(`${host.url}/hung`)), "timeout")
      assert.strictEqual(textOf(yield* brief(`${host.url}/dripping`)), "timeout")
      host.answers.set("/unframed", ({ socket }) => void socket?.write("HTTP/1.1 200 OK\r\n\r\n{}"))
      assert.strictEqual(textOf(yield* brief(`${host.url}/unframed`)), "timeout")
      host.answers.set("/cut", (response) => {
        response.writeHead(200, { "content-length": "10" }).write("{", () => response.destroy())
      })
      assert.strictEqual(textOf(yield* toLoopback(`${host.url}/cut`)), "connection")
      const fiber = yield* Effect.forkChild(toLoopback(`${host.url}/hung`))
      yield* until(
        Effect.sync(() => host.inFlight),
        (count) => count > 0,
      )
      yield* Fiber.interrupt(fiber)
      yield* until(
        Effect.sync(() => host.inFlight),
        (count) => count === 0,
      )
    }),
  )

  it.effect("is looked for behind three redirects within the host or to one below it, and no other", () =>
    Effect.gen(function* () {
      const host = yield* DocumentHost.make
      const other = yield* DocumentHost.make
      const { port } = new URL(host.url)
      const named = getDocument(
        OPTIONS,
        hostAddresses(true, () => Promise.resolve([{ address: "127.0.0.1", family: 4 }])),
      )
      host.answers.set("/document", json({}))
      host.answers.set("/1", redirect("/document"))
      host.answers.set("/2", redirect("/1", 308))
      host.answers.set("/3", redirect(`http://sub.store.example:${port}/2`, 301))
      host.answers.set("/4", redirect("/3"))
      const got = yield* named(`http://store.example:${port}/3`)
      assert.strictEqual(got.fault === undefined && got.source, "sub.store.example")
      assert.strictEqual(textOf(yield* named(`http://store.example:${port}/4`)), "redirect")
      for (const location of [
        ...[`${other.url}/document`, `http://evilstore.example:${port}/document`, `http://example:${port}/document`],
        ...["http://169.254.169.254/", "file:///etc/passwd", "https://[", "//evil.example/"],
      ]) {
        host.answers.set("/away", redirect(location))
        assert.strictEqual(textOf(yield* named(`http://store.example:${port}/away`)), "redirect", location)
      }
      host.answers.set("/user", redirect(`http://user@store.example:${port}/document`))
      assert.strictEqual(textOf(yield* named(`http://store.example:${port}/user`)), "refused_address")
      assert.deepStrictEqual(other.asked, [])
    }),
  )

  it.effect("is fetched from the address that was checked, also if the host had another before", () =>
    Effect.gen(function* () {
      const host = yield* DocumentHost.make
      const answers: Array<ReadonlyArray<HostAddress>> = [
        [{ address: "8.8.8.8", family: 4 }],
        [{ address: "127.0.0.1", family: 4 }],
      ]
      let asked = 0
      const rebinding: ResolveHost = () => Promise.resolve(answers[Math.min(asked++, 1)]!)
      const addresses = hostAddresses(false, rebinding)
      yield* Effect.promise(() => addresses("rebinding.example"))
      const guarded = getDocument({ ...OPTIONS, allowsPrivate: false }, addresses)
      assert.strictEqual(textOf(yield* guarded("https://rebinding.example/1.json")), "refused_address")
      // Once for the connection: what was checked is what it connects to.
      assert.strictEqual(asked, 2)
      for (const url of [host.url, "https://127.0.0.1/", "https://[::1]/", "https://rebinding.example:8443/"])
        assert.strictEqual(textOf(yield* guarded(url)), "refused_address", url)
      assert.deepStrictEqual(host.asked, [])
      const nowhere = getDocument(
        OPTIONS,
        hostAddresses(true, () => Promise.resolve([])),
      )
      assert.strictEqual(textOf(yield* nowhere("https://gone.example/")), "dns")
    }),
  )
})
