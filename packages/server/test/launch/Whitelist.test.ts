import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sampleAddress, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const registered = Effect.gen(function* () {
  const { request } = yield* TestServer
  const mintAddress = sampleAddress()
  yield* request("/api/tokens", { json: tokenDraft({ mintAddress }) })
  return mintAddress
})

const decide = Effect.fnUntraced(function* (decision: "whitelist" | "unwhitelist", mintAddress: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/${decision}`, { json: { tokenAddress: mintAddress } })
  assert.strictEqual(status, 200)
  return body.data
})

const stateOf = Effect.fnUntraced(function* (mintAddress: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/whitelist/${mintAddress}`)
  assert.strictEqual(status, 200)
  return body.data
})

layer(TestServer.layer())("The whitelist", (it) => {
  it.effect("is read for a token, decided or not, and is what a swap is refused by", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const mintAddress = yield* registered
      const undecided = { mintAddress, whitelisted: false, updatedAt: null }
      assert.deepStrictEqual(yield* stateOf(mintAddress), { ...undecided, tradable: true })
      const added = yield* decide("whitelist", mintAddress)
      assert.deepStrictEqual(yield* stateOf(mintAddress), { ...added, tradable: true })
      const removed = yield* decide("unwhitelist", mintAddress)
      assert.deepStrictEqual(yield* stateOf(mintAddress), { ...removed, tradable: false })
      const swap = { baseMint: mintAddress, signer: sampleAddress(), amount: 1, swapBaseForQuote: true }
      assert.strictEqual((yield* request("/api/launch/swap", { json: swap })).body.code, "trading_not_allowed")
      const unknown = yield* request(`/api/launch/whitelist/${sampleAddress()}`)
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "not_found")
      assert.strictEqual((yield* request("/api/launch/whitelist/x")).status, 400)
    }),
  )

  it.effect("is listed by the last decision, whole or by what was decided", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const entries: Array<unknown> = []
      for (let count = 0; count < 7; count++) {
        const mintAddress = yield* registered
        yield* TestClock.adjust("1 second")
        yield* decide("whitelist", mintAddress)
        entries.unshift(count % 3 === 0 ? yield* decide("unwhitelist", mintAddress) : yield* stateOf(mintAddress))
      }
      const expected = entries.map((entry) => {
        const { tradable: _tradable, ...decision } = entry as Record<string, unknown>
        return decision
      })
      for (const [filter, isExpected] of [
        ["", () => true],
        ["whitelisted=true&", ({ whitelisted }) => whitelisted === true],
        ["whitelisted=false&", ({ whitelisted }) => whitelisted === false],
      ] as ReadonlyArray<readonly [string, (decision: Record<string, unknown>) => boolean]>) {
        const found: Array<Record<string, unknown>> = []
        for (let cursor: string | null = ""; cursor !== null;) {
          const { body } = yield* request(`/api/launch/whitelist?${filter}limit=2${cursor}`)
          found.push(...body.data)
          const { nextCursor } = body.pagination as { readonly nextCursor: string | null }
          cursor = nextCursor === null ? null : `&cursor=${nextCursor}`
        }
        const mine = found.filter(({ mintAddress }) => expected.some((each) => each["mintAddress"] === mintAddress))
        assert.deepStrictEqual(mine, expected.filter(isExpected), filter)
        assert.isTrue(found.every(isExpected), filter)
      }
      assert.deepStrictEqual((yield* request("/api/launch/whitelist")).body.pagination, {
        limit: 100,
        nextCursor: null,
      })
    }),
  )
})
