import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { IntentsStandIn } from "../bridge/IntentsStandIn.ts"
import { randomOf } from "../Random.ts"
import { SOL, tokenDraft, transactionDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { DECLARED } from "./DeclaredParts.ts"

const server = Layer.unwrap(
  Effect.map(IntentsStandIn.make(), (standIn) =>
    TestServer.layer({ bridge: { url: standIn.url, quoteKey: standIn.publicKey } }),
  ),
)

const ID = "01987654-3210-7abc-8def-0123456789ab"
const encoded = (text: string): string => Buffer.from(text).toString("base64url")

/** Every list that goes on after a cursor, with parameters that it takes. */
const LISTS = DECLARED.filter(({ parameters }) => parameters.some(({ path }) => path === "query.cursor")).map(
  ({ declaredPath, name, parameters }) => {
    const mint = name.startsWith("tokens.holders") || name.startsWith("launch") ? SEEDED_MINTS.spl : SOL
    const isSearch = parameters.some(({ path }) => path === "query.q")
    return { name, url: `${declaredPath.replace(/:\w+/, mint)}?limit=2&${isSearch ? "q=Sample&" : ""}cursor=` }
  },
)

/** What nobody was given, though each part of it could be of a cursor. */
const MADE_UP: ReadonlyArray<string> = [
  ...["4", "9", "10", "-1", "1e0", "", " ", "00", "0x1"].map((rank) => `${rank}.1700000000000.${ID}`),
  ...["253402300800000", "999999999999999", "-1", "1e3", "", "1.5", "01", "NaN"].map((millis) => `0.${millis}.${ID}`),
  ...[ID.toUpperCase(), ID.slice(1), `${ID}0`, "", "'"].map((id) => `0.1700000000000.${id}`),
  ...[`0.1700000000000.${ID}.1`, "0", "", ".", "..", "\0.\0.\0", "99999999999999999999999.x"],
  ...["18446744073709551616", "9223372036854775808", "1"].flatMap((number) => [
    `${number}.${SOL}x`,
    `${number}.${"1".repeat(70)}`,
  ]),
].map(encoded)

layer(server, { excludeTestServices: true })("A cursor", (it) => {
  it.effect("that nobody was given is refused by every list, or is a place in it", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (let count = 0; count < 4; count++) {
        yield* request("/api/tokens", { json: tokenDraft({ owner: SOL }) })
        yield* request("/api/transactions", { json: transactionDraft({ userAddress: SOL }) })
      }
      const random = randomOf(16)
      const generated = Array.from({ length: 40 }, () => {
        const part = () => [random(10), random(1e13), ID, SOL, random(2 ** 48), "x"][Math.floor(random(6))]
        const text = `${Math.floor(random(12))}.${String(part())}.${String(part())}`
        return encoded(random(2) < 1 ? text : Array.from(text, (char) => (random(9) < 1 ? "." : char)).join(""))
      })
      assert.isAtLeast(LISTS.length, 9)
      for (const { name, url } of LISTS) {
        assert.strictEqual((yield* request(url.replace("&cursor=", ""))).status, 200, name)
        for (const [cursor, statuses] of [
          ...MADE_UP.map((cursor) => [cursor, [400]] as const),
          ...generated.map((cursor) => [cursor, [200, 400]] as const),
        ]) {
          const { body, status } = yield* request(url + cursor)
          const shown = `${name} ${Buffer.from(cursor, "base64url").toString()} ${JSON.stringify(body)}`
          assert.include(statuses, status, shown)
          if (status === 200) continue
          assert.deepInclude(body, { success: false, code: "invalid_request" }, shown)
          assert.strictEqual(body.issues[0].path, "query.cursor", shown)
        }
      }
    }),
  )

  it.effect("of a rank goes on in a search, and nowhere else", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const rank of [0, 1, 2, 3]) {
        const cursor = encoded(`${rank}.253402300799999.${ID}`)
        assert.strictEqual((yield* request(`/api/tokens/search?q=Sample&cursor=${cursor}`)).status, 200)
        assert.strictEqual((yield* request(`/api/tokens?cursor=${cursor}`)).status, rank === 0 ? 200 : 400)
      }
    }),
  )

  it.effect("is followed through a search to its end", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const all = (yield* request("/api/tokens/search?q=Sample")).body.data
      assert.isAtLeast(all.length, 4)
      const seen: Array<unknown> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const page = cursor === "" ? "" : `&cursor=${cursor}`
        const { body } = yield* request(`/api/tokens/search?q=Sample&limit=3${page}`)
        seen.push(...body.data)
        cursor = body.pagination.nextCursor as string | null
      }
      assert.deepStrictEqual(seen, all)
    }),
  )
})
