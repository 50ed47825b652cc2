import { assert, describe, it } from "@effect/vitest"
import { tokenMetadataAddress } from "@launch-registry/chain/accounts/DerivedAddresses"
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { metaplexMetadataData, mint2022Data, mintData } from "@launch-registry/chain/localnet/TokenAccounts"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  failure,
  over,
  result,
  type StandInNode,
  standInNode,
  untilState,
} from "../../../chain/test/rpc/StandInNode.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { ChainLabels } from "../../src/tokens/ChainLabels.ts"
import { compareNames } from "../trust/CompareNames.ts"
import { byMint, draftOf, follow, launch, launchConfig, LAUNCHED } from "./ChainLaunches.ts"

interface Named {
  readonly name: string
  readonly symbol: string
  readonly uri: string
}

/** Accounts of a mint with metadata that its authority can change. */
const accountsOf = Effect.fn(function* (mint: string, kind: "spl" | "token2022", label: Named, isMutable = true) {
  const authority = decodeBase58(sampleAddress())!
  if (kind === "token2022") {
    const data = mint2022Data(mint, 1n, 6, label)
    // The authority of the metadata, behind mint, account type, pointer and the header of its extension.
    if (isMutable) data.set(authority, 166 + 4 + 64 + 4)
    return { [mint]: { owner: TOKEN_2022_PROGRAM, data } }
  }
  const metaplex = yield* Effect.promise(() => tokenMetadataAddress(mint))
  const data = metaplexMetadataData(mint, sampleAddress(), label)
  // Behind key, authority, mint, three padded texts, the fee, creators and the flag of the first sale.
  data[65 + 4 + 32 + 4 + 10 + 4 + 200 + 2 + 2] = isMutable ? 1 : 0
  return { [mint]: { owner: TOKEN_PROGRAM, data: mintData(1n, 6) }, [metaplex]: { owner: METADATA_PROGRAM, data } }
})

type Accounts = Readonly<Record<string, { readonly owner: string; readonly data: Uint8Array }>>

/** A node that has these accounts, at this slot; counts what it was asked. */
const has = (node: StandInNode, accounts: Accounts, slot = 100) => {
  node.behave("getMultipleAccounts", (response, call) =>
    result({
      context: { slot },
      value: (call.params[0] as ReadonlyArray<string>).map((address) => {
        const account = accounts[address]
        if (account === undefined) return null
        const data = [Buffer.from(account.data).toString("base64"), "base64"]
        return { owner: account.owner, data, lamports: 1, executable: false, rentEpoch: 0, space: account.data.length }
      }),
    })(response, call),
  )
}

const RENAMED = { name: "Another Name", symbol: "OTHR", uri: "https://example.com/other.json" }
const AS_LAUNCHED = { name: LAUNCHED.name, symbol: LAUNCHED.symbol, uri: LAUNCHED.uri }

const registered = Effect.gen(function* () {
  const one = yield* launch({ config: yield* launchConfig() })
  yield* follow
  return { ...one, id: (yield* byMint(one.baseMint)).body.data.id as string }
})

const patch = (id: string, json: object) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/tokens/${id}`, { method: "PATCH", json }))

const found = (q: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/tokens/search?q=${encodeURIComponent(q)}`), ({ body }) =>
      body.data.map(({ mintAddress }: { readonly mintAddress: string }) => mintAddress),
    ),
  )

/** Compares the next launches with the chain, as processes do by themselves. */
const compare = (node: StandInNode) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* untilState("primary", "closed")
    yield* sql`update server_progress set done_at = '-infinity' where name = 'labels'`
    yield* (yield* ChainLabels).compare
  }).pipe(Effect.provide(Layer.provideMerge(ChainLabels.layer, over([node.url]))))

/** Runs a test over a node. */
const onNode = <E, R>(test: (node: StandInNode) => Effect.Effect<void, E, R>) =>
  Effect.scoped(
    Effect.flatMap(standInNode, (node) =>
      Effect.provide(Effect.asVoid(test(node)), TestServer.layer({ rpcUrl: node.url })),
    ),
  )

describe("A token that was renamed on chain", () => {
  for (const kind of ["spl", "token2022"] as const)
    it.live(`of ${kind} gets its name by PATCH, and no other, by what the chain says then`, () =>
      onNode((node) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const one = yield* registered
          has(node, yield* accountsOf(one.baseMint, kind, AS_LAUNCHED))
          const early = yield* patch(one.id, { name: RENAMED.name })
          assert.deepStrictEqual([early.status, early.body.code], [409, "contradicts_chain"])
          has(node, yield* accountsOf(one.baseMint, kind, RENAMED), 101)
          const stale = yield* patch(one.id, { name: LAUNCHED.name, symbol: LAUNCHED.symbol })
          // The name of the launch is the registry's own until the chain is read; then it is no more.
          assert.strictEqual(stale.status, 200)
          const { body, status } = yield* patch(one.id, { name: RENAMED.name, website: "https://example.com" })
          assert.strictEqual(status, 200, JSON.stringify(body))
          assert.deepInclude(body.data, { name: RENAMED.name, symbol: RENAMED.symbol })
          assert.strictEqual(body.data.metadata.tokenUri, RENAMED.uri)
          const lie = yield* patch(one.id, { name: LAUNCHED.name })
          assert.strictEqual(lie.status, 409)
          assert.deepStrictEqual(lie.body.details.contradictions, [
            { field: "name", onChain: RENAMED.name, sent: LAUNCHED.name },
          ])
          assert.deepStrictEqual(yield* found(RENAMED.name), [one.baseMint])
          assert.deepStrictEqual(yield* found(LAUNCHED.name), [])
          const [correction] = yield* sql<{ readonly before: { readonly name: string }; readonly correctedBy: string }>`
            select before, corrected_by from token_corrections where mint_address = ${one.baseMint}`
          assert.deepStrictEqual([correction!.correctedBy, correction!.before.name], ["chain", LAUNCHED.name])
        }),
      ),
    )

  it.live("has its name in the trust report and everywhere once that is read, and is compared by it", () =>
    onNode((node) =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const one = yield* registered
        const older = yield* launch({
          ...{ config: sampleAddress(), createdSlot: 1n, name: RENAMED.name, symbol: RENAMED.symbol },
        })
        yield* follow
        yield* compareNames
        has(node, {
          ...(yield* accountsOf(one.baseMint, "spl", { ...RENAMED, symbol: "A\u200bB" })),
          ...(yield* accountsOf(older.baseMint, "spl", RENAMED)),
        })
        const { body, status } = yield* request(`/api/tokens/trust/${one.baseMint}`)
        assert.strictEqual(status, 200, JSON.stringify(body))
        assert.deepStrictEqual(
          body.data.confusableWith.map(({ mintAddress }: { readonly mintAddress: string }) => mintAddress),
          [older.baseMint],
        )
        assert.deepStrictEqual(body.data.unsafeText[0].source, "chain")
        const token = (yield* byMint(one.baseMint)).body.data
        assert.deepInclude(token, { name: RENAMED.name, symbol: "AB", verified: false })
        const listed = yield* request(`/api/launch/pools?mintAddresses=${one.baseMint}&registered=any`)
        assert.deepInclude(listed.body.data[0], { name: RENAMED.name, symbol: "AB", uri: RENAMED.uri })
      }),
    ),
  )

  it.live("is found by comparing launches in turn, and what nobody can change is not read again", () =>
    onNode((node) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const made = yield* Effect.forEach([0, 1, 2], () => registered)
        const [open, closed, bare] = made.map(({ baseMint }) => baseMint) as [string, string, string]
        const accounts = {
          ...(yield* accountsOf(open, "spl", RENAMED)),
          ...(yield* accountsOf(closed, "token2022", AS_LAUNCHED, false)),
        }
        has(node, accounts)
        yield* compare(node)
        const stored = yield* sql<{ readonly mint: string; readonly name: string; readonly isFinal: boolean }>`
          select mint, name, is_final from token_labels where mint = any(${[open, closed, bare]}::text[])`
        assert.sameDeepMembers(stored as Array<(typeof stored)[number]>, [
          { mint: open, name: RENAMED.name, isFinal: false },
          { mint: closed, name: LAUNCHED.name, isFinal: true },
          { mint: bare, name: LAUNCHED.name, isFinal: false },
        ])
        assert.strictEqual((yield* byMint(open)).body.data.name, RENAMED.name)
        // An answer of an earlier slot changes nothing.
        has(node, yield* accountsOf(open, "spl", AS_LAUNCHED), 99)
        yield* compare(node)
        assert.strictEqual((yield* byMint(open)).body.data.name, RENAMED.name)
        // It may be renamed again, also back.
        has(node, yield* accountsOf(open, "spl", AS_LAUNCHED), 102)
        yield* compare(node)
        assert.strictEqual((yield* byMint(open)).body.data.name, LAUNCHED.name)
        const calls = node.calls.filter((method) => method === "getMultipleAccounts").length
        const lie = yield* patch(made[1]!.id, { name: "Fake" })
        assert.deepStrictEqual([lie.status, lie.body.code], [409, "contradicts_chain"])
        assert.lengthOf(
          node.calls.filter((method) => method === "getMultipleAccounts"),
          calls,
        )
      }),
    ),
  )

  it.live("is not said to be called anything while the chain cannot be read; other fields are refused at once", () =>
    onNode((node) =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const one = yield* registered
        node.behave("getMultipleAccounts", failure(-32601))
        const renamed = yield* patch(one.id, { name: RENAMED.name })
        assert.deepStrictEqual([renamed.status, renamed.body.details?.service], [503, "chain"])
        const drafted = yield* request("/api/tokens", { json: draftOf(one, { name: RENAMED.name }) })
        assert.deepStrictEqual([drafted.status, drafted.body.details?.service], [503, "chain"])
        const other = yield* request("/api/tokens", { json: draftOf(one, { owner: sampleAddress() }) })
        assert.deepStrictEqual([other.status, other.body.code], [409, "contradicts_chain"])
        has(node, yield* accountsOf(one.baseMint, "spl", RENAMED))
        const own = { name: RENAMED.name, symbol: RENAMED.symbol, tokenUri: RENAMED.uri }
        const registeredAs = yield* request("/api/tokens", { json: draftOf(one, own) })
        assert.strictEqual(registeredAs.status, 201, JSON.stringify(registeredAs.body))
        assert.strictEqual(registeredAs.body.data.name, RENAMED.name)
      }),
    ),
  )
})
