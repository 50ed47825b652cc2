import { createHash } from "node:crypto"
import { channel } from "node:diagnostics_channel"
import { inspect } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { afterAll, beforeAll, vi } from "vitest"
import { unstalledClock } from "../../../chain/test/UnstalledClock.ts"
import { buildDag, type FileDag } from "../../src/content/Dag.ts"
import type { BackendFailed } from "../../src/backends/IpfsBackend.ts"
import { w3upBackend } from "../../src/w3up/W3upBackend.ts"
import type { W3upOptions } from "../../src/w3up/W3upClient.ts"
import { w3upFault, w3upFetch } from "../../src/w3up/W3upRequests.ts"
import { type Failure, type Part, type W3upService, w3upService } from "./W3upService.ts"

const MIB = 1_048_576

class Network extends Context.Service<Network, W3upService>()("@launch-registry/ipfs/test/w3up/Network") {
  static readonly layer = Layer.effect(Network, w3upService)
}

/** The client logs problems to the console, and by default calls hosts of the network. */
const warned: Array<unknown> = []
const contacted = new Set<string>()
const note = (message: unknown) =>
  contacted.add((message as { readonly connectParams: { readonly hostname: string } }).connectParams.hostname)
const { warn } = console
beforeAll(() => {
  // oxlint-disable-next-line no-console
  console.warn = (...args) => void warned.push(...args)
  channel("undici:client:beforeConnect").subscribe(note)
})
afterAll(() => {
  // oxlint-disable-next-line no-console
  console.warn = warn
  channel("undici:client:beforeConnect").unsubscribe(note)
  assert.deepStrictEqual(warned, [])
  assert.includeMembers(["127.0.0.1", "localhost"], [...contacted])
  assert.isNotEmpty(contacted)
})

let seed = 0
/** New content. */
const content = (length: number) => {
  const bytes = Uint8Array.from({ length }, (_, at) => ((at + seed) * 2_654_435_761) >>> 24)
  bytes.set(new TextEncoder().encode(String(++seed)).subarray(0, length))
  return bytes
}

const backendOf = (options: Partial<W3upOptions> = {}) =>
  Effect.flatMap(Network, (network) => w3upBackend({ ...network, ...options }))

const image = { contentType: "image/png" }

const put = (dag: FileDag, options: Partial<W3upOptions> = {}) =>
  Effect.flatMap(backendOf(options), (backend) => backend.put(dag, image))

/** The error of a failed upload of new content, without secrets. */
const failureOf = (options: Partial<W3upOptions> = {}) =>
  Effect.gen(function* () {
    const { key, proof } = yield* Network
    const failure = yield* Effect.flip(put(buildDag(content(64)), options))
    const said = inspect(failure, { depth: 10 }) + JSON.stringify(failure)
    for (const secret of [key, proof, ...(options.proof === undefined ? [] : [options.proof])])
      assert.notInclude(said, Redacted.value(secret).slice(2, 34))
    return failure as BackendFailed
  })

const assertStored = (dag: FileDag) =>
  Effect.gen(function* () {
    const { blocksOf } = yield* Network
    const stored = yield* blocksOf(dag.root)
    assert.sameMembers(
      [...stored.keys()],
      dag.blocks.map(({ cid }) => cid.toString()),
    )
    for (const { cid } of dag.blocks)
      assert.deepStrictEqual(
        createHash("sha256").update(stored.get(cid.toString())!).digest(),
        Buffer.from(cid.multihash.digest),
      )
  })

// Service and client are in this process: no answer is late because the machine is busy.
layer(Layer.provideMerge(Network.layer, unstalledClock), { excludeTestServices: true })("The w3up backend", (it) => {
  const same = (size: number) =>
    Effect.gen(function* () {
      const { uploadFile } = yield* Network
      const bytes = content(size)
      const dag = buildDag(bytes)
      yield* put(dag)
      yield* assertStored(dag)
      assert.strictEqual(yield* uploadFile(bytes), dag.root.toString())
    })

  it.effect.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB])(
    "stores all blocks of %i bytes, under the root that the client computes",
    same,
  )

  it.effect("reports when the network refuses writes, and uploads again once it accepts them", () =>
    Effect.gen(function* () {
      const { refuseWrites } = yield* Network
      const backend = yield* backendOf()
      const dag = buildDag(content(100))
      yield* backend.probe
      refuseWrites(true)
      for (const attempt of [backend.put(dag, image), backend.probe]) {
        const { isPermanent, reason } = yield* Effect.flip(attempt)
        assert.strictEqual(reason, "the network takes no more writes (ServiceUnavailable)")
        assert.isTrue(isPermanent)
      }
      refuseWrites(false)
      yield* backend.probe
      yield* backend.put(dag, image)
      yield* assertStored(dag)
    }),
  )

  const broken: ReadonlyArray<readonly [Part, Failure, string, Partial<BackendFailed>]> = [
    ["service", 503, "the service answered 503", { retryAfterMillis: 7_000 }],
    ["service", 429, "the service answered 429", { retryAfterMillis: 7_000 }],
    ["service", 404, "the service answered 404", { isPermanent: true }],
    ["service", 302, "the service answered 302", { isPermanent: true }],
    ["service", 200, "the service did not confirm the upload", {}],
    ["service", "reset", "the service cannot be reached (ECONNRESET)", {}],
    ["service", "hang", "no answer in time", {}],
    ["storage", 403, "the store of the service answered 403", {}],
    ["storage", 413, "the store of the service answered 413", { scope: "upload" }],
    ["service", 422, "the service answered 422", { scope: "upload", isPermanent: true }],
    ["storage", 500, "the store of the service answered 500", {}],
    ["storage", "reset", "the store of the service cannot be reached (ECONNRESET)", {}],
    ["storage", "hang", "no answer in time", {}],
    ["receipts", 500, "the store of receipts answered 500", {}],
    ["receipts", "reset", "the store of receipts cannot be reached (ECONNRESET)", {}],
    ["receipts", "hang", "no answer in time", {}],
    ["receipts", 404, "no answer in time", {}],
  ]
  it.effect.each(broken)("fails once when the %s fails with %s: %s", ([part, failure, reason, expected]) =>
    Effect.gen(function* () {
      const { fail, requests } = yield* Network
      requests.length = 0
      fail(part, failure)
      const failed = yield* failureOf(
        failure === "hang" || reason === "no answer in time" ? { timeoutMillis: 500 } : {},
      )
      fail(part, undefined)
      assert.isTrue(failed.reason.startsWith(reason), failed.reason)
      assert.strictEqual(failed.isPermanent, expected.isPermanent ?? false)
      assert.strictEqual(failed.scope, expected.scope ?? "backend")
      if (expected.retryAfterMillis !== undefined)
        assert.strictEqual(failed.retryAfterMillis, expected.retryAfterMillis)
      // The client would retry by itself, repeatedly.
      if (part !== "receipts" || failure !== 404)
        assert.lengthOf(
          requests.filter((request) => !request.startsWith("closed") && request.endsWith(part)),
          1,
        )
    }),
  )

  it.effect("ends its requests when it is interrupted or times out", () =>
    Effect.gen(function* () {
      const { fail, requests } = yield* Network
      const until = (request: string) => Effect.repeat(Effect.sleep(5), { until: () => requests.includes(request) })
      for (const part of ["service", "storage", "receipts"] as const) {
        requests.length = 0
        fail(part, "hang")
        const fiber = yield* Effect.forkChild(put(buildDag(content(200))))
        yield* until({ service: "POST service", storage: "PUT storage", receipts: "GET receipts" }[part])
        yield* Fiber.interrupt(fiber)
        yield* until(`closed ${part}`)
        fail(part, undefined)
      }
      requests.length = 0
      fail("service", "hang")
      const late = yield* Effect.flip((yield* backendOf({ timeoutMillis: 200 })).probe)
      assert.strictEqual(late.reason, "no answer in time")
      yield* until("closed service")
      fail("service", undefined)
    }),
  )

  it.effect("never sends content from an encrypted service to an unencrypted address", () =>
    Effect.gen(function* () {
      const { requests, serviceUrl } = yield* Network
      requests.length = 0
      const fetch = w3upFetch(new URL("https://w3up.invalid"), new AbortController().signal)
      const error = yield* Effect.flip(
        Effect.tryPromise({ try: () => fetch(serviceUrl, { method: "PUT", body: "x" }), catch: w3upFault }),
      )
      assert.strictEqual(error.reason, "the store of the service has an address without https")
      assert.isEmpty(requests)
    }),
  )

  it.effect(
    "reports a space without storage, a revoked or expired proof, a mistyped key, and a proof for another service",
    () =>
      Effect.gen(function* () {
        const { delegate, key, revoke, serviceAt, serviceUrl } = yield* Network
        const bare = yield* failureOf({ proof: yield* delegate({ isWithoutStorage: true }) })
        assert.match(bare.reason, /^the space has no storage.* \(InsufficientStorage\)$/)
        const proof = yield* delegate({ expirationSeconds: 4_000_000_000 })
        yield* put(buildDag(content(10)), { proof })
        yield* revoke(proof)
        const mistyped = Buffer.from(Redacted.value(key).slice(1), "base64")
        mistyped[10]! ^= 1
        const revoked = yield* failureOf({ proof })
        const forged = yield* failureOf({ key: Redacted.make(`M${mistyped.toString("base64")}`) })
        const aging = yield* delegate({ expirationSeconds: 4_000_000_000 })
        const backend = yield* backendOf({ proof: aging })
        vi.useFakeTimers({ toFake: ["Date"], now: 4_000_000_001_000 })
        const expired = yield* Effect.flip(backend.probe).pipe(Effect.ensuring(Effect.sync(() => vi.useRealTimers())))
        for (const { reason } of [revoked, forged, expired])
          assert.match(
            reason,
            /^the service does not accept the key or the proof: wrong, expired or revoked \(Unauthorized/,
          )
        const elsewhere = yield* failureOf({ service: serviceAt(serviceUrl, "did:web:example.com") })
        assert.match(elsewhere.reason, /^the service goes by another name \(InvalidAudience/)
        for (const { isPermanent } of [bare, revoked, forged, expired, elsewhere]) assert.isTrue(isPermanent)
      }),
  )
})
