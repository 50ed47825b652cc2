import type { Launch } from "@launch-registry/domain/launch/Launch"
import type { TokenTrust } from "@launch-registry/domain/trust/TokenTrust"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { draftOf, follow, launch, launchConfig, rollBack } from "../tokens/ChainLaunches.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { tokenSkeletons } from "../../src/trust/TokenSkeletons.ts"
import { compareNames, storedSkeletons, trading } from "./CompareNames.ts"

/** The trust of a registered token. */
const trustOf = (mint: string) =>
  Effect.map(dataAt(`/api/tokens/mint/${mint}?include=trust`), ({ trust }) => trust as TokenTrust)

/** The mints that a token is confusable with, and why. */
const confusedWith = (mint: string) =>
  Effect.map(trustOf(mint), ({ confusableWith }) =>
    (confusableWith ?? []).map(({ fields, mintAddress, reasons }) => [mintAddress, fields.join(), reasons.join()]),
  )

/** A launch that the registry follows. */
const launched = Effect.fn(function* (fields: Readonly<Record<string, unknown>>) {
  const made = yield* launch({ config: yield* launchConfig(), ...fields })
  yield* follow
  return made
})

layer(TestServer.layer(), { timeout: "60 seconds" })("Confusable tokens", (it) => {
  it.effect("are unknown until all names have been compared", () =>
    Effect.gen(function* () {
      yield* follow
      const { mintAddress } = yield* create()
      assert.deepInclude(yield* trustOf(mintAddress), { verified: false, confusableWith: null })
      yield* compareNames
      assert.deepInclude(yield* trustOf(mintAddress), { confusableWith: [], unsafeText: [], firstSlot: null })
    }),
  )

  it.effect("of a token that is called nothing are none", () =>
    Effect.gen(function* () {
      const blank = yield* launched({ name: "\u3164\u2800", symbol: "\u3164", createdSlot: 9n })
      assert.deepStrictEqual((yield* trustOf(blank.baseMint)).confusableWith, [])
    }),
  )

  it.effect("are older launches with the same skeleton, whatever the script, the case and the punctuation", () =>
    Effect.gen(function* () {
      const old = yield* launched({ name: "Paypal Coin", symbol: "PYPL", createdSlot: 10n })
      const cyrillic = yield* launched({ name: "Р\u0430yp\u0430l C\u043ein", symbol: "OTHER1", createdSlot: 20n })
      const upper = yield* launched({ name: "$PAYPAI-COIN", symbol: "p-y-p-l", createdSlot: 30n })
      const wide = yield* launched({ name: "Something", symbol: "\uff30\uff39\uff30\uff2c", createdSlot: 40n })
      assert.deepStrictEqual(yield* confusedWith(old.baseMint), [])
      assert.deepStrictEqual(yield* confusedWith(cyrillic.baseMint), [[old.baseMint, "name", "older"]])
      assert.deepStrictEqual(yield* confusedWith(upper.baseMint), [
        [old.baseMint, "name,symbol", "older"],
        [cyrillic.baseMint, "name", "older"],
      ])
      assert.deepStrictEqual(
        (yield* confusedWith(wide.baseMint)).map(([mint, fields]) => `${mint} ${fields}`).sort(),
        [`${old.baseMint} symbol`, `${upper.baseMint} symbol`].sort(),
      )
      const [{ name, symbol } = { name: "", symbol: "" }] = (yield* trustOf(cyrillic.baseMint)).confusableWith!
      assert.deepStrictEqual([name, symbol], ["Paypal Coin", "PYPL"])
      assert.deepStrictEqual((yield* trustOf(cyrillic.baseMint)).unsafeText, [
        { field: "name", source: "chain", kinds: ["mixed_scripts"] },
      ])
    }),
  )

  it.effect("of the same slot are neither older nor newer", () =>
    Effect.gen(function* () {
      const [one, other] = [
        yield* launched({ name: "Same Slot", symbol: "SAMESLOT", createdSlot: 77n }),
        yield* launched({ name: "Same Slot", symbol: "SAMESLOT", createdSlot: 77n }),
      ]
      assert.deepStrictEqual(yield* confusedWith(one.baseMint), [])
      assert.deepStrictEqual(yield* confusedWith(other.baseMint), [])
    }),
  )

  it.effect("that are only registered are never older than a launch, whenever they were registered", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const label = { name: "Squatted Name", symbol: "SQUAT" }
      const first = yield* create(label)
      yield* sql`update tokens set created_at = '1960-01-01' where id = ${first.id}::uuid`
      yield* compareNames
      const second = yield* create(label)
      const real = yield* launched({ ...label, createdSlot: 900n })
      assert.deepStrictEqual(yield* confusedWith(real.baseMint), [])
      assert.deepStrictEqual(yield* confusedWith(first.mintAddress), [[real.baseMint, "name,symbol", "older"]])
      assert.sameDeepMembers(yield* confusedWith(second.mintAddress), [
        [real.baseMint, "name,symbol", "older"],
        [first.mintAddress, "name,symbol", "older"],
      ])
    }),
  )

  it.effect("are larger ones by what was traded of them in the same quote token", () =>
    Effect.gen(function* () {
      const { resize } = tokenSkeletons(yield* SqlClient)
      const sql = yield* SqlClient
      const label = { name: "Larger", symbol: "LARGER" }
      const squatter = yield* launched({ ...label, createdSlot: 1n })
      const real = yield* launched({ ...label, createdSlot: 2n })
      const elsewhere = yield* launched({ ...label, createdSlot: 3n, quoteMint: sampleAddress() })
      const dust = yield* launched({ ...label, createdSlot: 4n })
      yield* trading(squatter.baseMint, "1000")
      yield* trading(real.baseMint, "50000000000")
      yield* trading(elsewhere.baseMint, "99000000000000")
      yield* trading(dust.baseMint, "1020")
      yield* sql`update server_progress set done_at = '-infinity' where name = 'sizes'`
      yield* resize
      assert.deepStrictEqual(yield* confusedWith(squatter.baseMint), [[real.baseMint, "name,symbol", "larger"]])
      assert.deepStrictEqual(yield* confusedWith(real.baseMint), [[squatter.baseMint, "name,symbol", "older"]])
      assert.sameDeepMembers(yield* confusedWith(dust.baseMint), [
        [real.baseMint, "name,symbol", "older,larger"],
        [squatter.baseMint, "name,symbol", "older"],
      ])
      // Another process asks too early.
      yield* trading(real.baseMint, "1")
      yield* resize
      assert.lengthOf(yield* confusedWith(squatter.baseMint), 1)
      yield* compareNames
      assert.deepStrictEqual(yield* confusedWith(squatter.baseMint), [])
    }),
  )

  it.effect("of one reason do not displace those of another, however many there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Two keys each: a capital eta looks like an h, a small one like an n.
      const [name, symbol] = ["\u0397OTEL", "\u0397TL"]
      const junk: Array<string> = []
      for (const [at, fields] of [
        ...[{ name: "HOTEL" }, { name: "HOTEL" }, { name: "notel" }, { name: "notel" }],
        ...[{ symbol: "HTL" }, { symbol: "HTL" }, { symbol: "ntl" }, { symbol: "ntl" }],
      ].entries())
        junk.push(
          (yield* launched({ name: `A${at}X`, symbol: `X${at}A`, ...fields, createdSlot: BigInt(20 - at) })).baseMint,
        )
      const real = yield* launched({ name: "Hotel", symbol: "HTL", createdSlot: 30n })
      const copy = yield* launched({ name, symbol, createdSlot: 40n })
      yield* trading(real.baseMint, "50000000000")
      yield* compareNames
      const found = yield* confusedWith(copy.baseMint)
      assert.lengthOf(found, 8)
      assert.deepStrictEqual(found.at(-1), [real.baseMint, "name,symbol", "larger"])
      // The oldest first; the youngest of those that are older is left out.
      assert.deepStrictEqual(
        found.slice(0, -1).map(([mint]) => mint),
        junk.toReversed().slice(0, 7),
      )
      yield* sql`delete from trading_windows where base_mint = ${real.baseMint}`
    }),
  )

  it.effect("follow changes, deletions and reverts of either", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const old = yield* launched({ name: "Followed", symbol: "FLLWD", createdSlot: 10n })
      const token = yield* create({ name: "Followed Too", symbol: "FLLWD2" })
      assert.deepStrictEqual(yield* confusedWith(token.mintAddress), [])
      const path = `/api/tokens/${token.id}`
      assert.strictEqual((yield* request(path, { method: "PATCH", json: { name: "f0llowed" } })).status, 200)
      assert.deepStrictEqual(yield* confusedWith(token.mintAddress), [[old.baseMint, "name", "older"]])
      assert.strictEqual((yield* request(path, { method: "PATCH", json: { name: "Followed Too" } })).status, 200)
      assert.deepStrictEqual(yield* confusedWith(token.mintAddress), [])
      const impostor = yield* launched({ name: "FOLLOWED", symbol: "OTHER2", createdSlot: 20n })
      assert.deepStrictEqual(yield* confusedWith(impostor.baseMint), [[old.baseMint, "name", "older"]])
      yield* rollBack(old)
      assert.deepStrictEqual(yield* confusedWith(impostor.baseMint), [])
      assert.strictEqual((yield* request(path, { method: "DELETE" })).status, 200)
      const sql = yield* SqlClient
      assert.lengthOf(
        yield* sql`select from token_skeletons where mint_address = any(${[token.mintAddress, old.baseMint]}::text[])`,
        0,
      )
    }),
  )

  it.effect("are found for launches that nobody registered, and these for others", () =>
    Effect.gen(function* () {
      const config = sampleAddress()
      const old = yield* launch({ config, name: "Unregistered", symbol: "UNREG", createdSlot: 10n })
      const impostor = yield* launch({ config, name: "Un\u202eregistered\u3164", symbol: "UNREG2", createdSlot: 20n })
      yield* follow
      const launches = (yield* dataAt(
        `/api/launch/pools?config=${config}&registered=false&include=market,trust`,
      )) as ReadonlyArray<Launch>
      const byMint = new Map<string, Launch>(launches.map((one) => [one.mintAddress, one]))
      assert.deepInclude(byMint.get(old.baseMint)!.trust, { confusableWith: [], unsafeText: [], verified: false })
      const { market, trust } = byMint.get(impostor.baseMint)!
      assert.isNotNull(market)
      assert.deepStrictEqual(
        trust!.confusableWith!.map(({ mintAddress }) => mintAddress as string),
        [old.baseMint],
      )
      assert.deepStrictEqual(trust!.unsafeText, [
        { field: "name", source: "chain", kinds: ["bidi_control", "invisible"] },
      ])
      const token = yield* create({ name: "unregistered", symbol: "UNREG3" })
      assert.include(
        (yield* confusedWith(token.mintAddress)).map(([mint]) => mint),
        old.baseMint,
      )
    }),
  )

  it.effect("are stored as a comparison of everything finds them, and it mends what others wrote", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const registered = yield* launched({ name: "Mended", symbol: "MENDED", createdSlot: 10n })
      const { request } = yield* TestServer
      yield* request("/api/tokens", { json: draftOf(registered, { name: "Mended", symbol: "MENDED" }) })
      yield* compareNames
      yield* create({ name: "Only Reg\u0456stered", symbol: "$ONLY-REG" })
      const stored = yield* storedSkeletons
      yield* compareNames
      assert.deepStrictEqual(yield* storedSkeletons, stored)
      yield* sql`delete from token_skeletons where skeleton like 'm%'`
      yield* sql`update token_skeletons set since = since + 1, skeleton = skeleton || 'x' where field = 'symbol'`
      yield* sql`
        insert into token_skeletons values (${sampleAddress()}, 'name', 'gone', true, 0, null, null, true)`
      yield* compareNames
      assert.deepStrictEqual(yield* storedSkeletons, stored)
    }),
  )
})
