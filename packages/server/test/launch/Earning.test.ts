import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { TOKEN_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { accountsOf, post, readPool as read, SIGNER } from "./BuildRequests.ts"

const NEW_CREATOR = sampleAddress()
const [{ baseMint: mintAddress, config, creator, pool }] = SEEDED_POOLS as [(typeof SEEDED_POOLS)[number]]

interface Fee {
  readonly kind: string
  readonly owner: string
  readonly state: string
  readonly baseAmount: string
}

const feeOf = (kind: string) =>
  Effect.map(read(`${mintAddress}/fees`), ({ body }) =>
    (body.data.fees as ReadonlyArray<Fee>).find((fee) => fee.kind === kind)!,
  )

const claim = (walletAddress: string, kind: string, status: number) =>
  post("claim", { walletAddress, mintAddress, claims: [kind] }, status)

const transfer = (fields: object, status = 200) =>
  post("transfer-creator", { mintAddress, walletAddress: creator, newCreator: NEW_CREATOR, ...fields }, status)

layer(TestServer.layer())("A pool on its curve", (it) => {
  it.effect("pays the fee for its creation to its partner alone, and no leftover", () =>
    Effect.gen(function* () {
      const { owner: partner, state } = yield* feeOf("pool_creation_fee")
      assert.strictEqual(state, "nothing")
      const others = (yield* claim(SIGNER, "pool_creation_fee", 409)).body
      assert.strictEqual(others.code, "claim_not_yours")
      assert.deepStrictEqual(others.details.owners, [{ kind: "pool_creation_fee", party: "partner", owner: partner }])
      assert.strictEqual((yield* claim(partner, "pool_creation_fee", 409)).body.code, "nothing_to_claim")
      const { body } = yield* claim(SIGNER, "leftover", 409)
      assert.strictEqual(body.code, "nothing_to_claim")
      assert.deepStrictEqual(body.details.fees, [
        { kind: "leftover", party: "leftover_receiver", state: "not_migrated" },
      ])
    }),
  )

  it.effect("is handed over by its creator, to an address that can have it", () =>
    Effect.gen(function* () {
      const { data } = (yield* transfer({})).body
      assert.deepInclude(data, { mintAddress, pool, creator, newCreator: NEW_CREATOR })
      assert.includeMembers([...accountsOf(data.transaction)], [pool, config, creator, NEW_CREATOR])
      assert.containsAllKeys(data, ["cost", "wallet", "blockhash", "expiresInSeconds"])
      for (const newCreator of [
        creator,
        TOKEN_PROGRAM,
        mintAddress,
        pool,
        config,
        "1nc1nerator11111111111111111111111111111111",
      ]) {
        const { body } = yield* transfer({ newCreator }, 400)
        assert.strictEqual(body.issues[0].path, "body.newCreator")
      }
      for (const walletAddress of [TOKEN_PROGRAM, pool])
        assert.strictEqual((yield* transfer({ walletAddress }, 400)).body.issues[0].path, "body.walletAddress")
      const { owner: partner } = yield* feeOf("pool_creation_fee")
      const { body } = yield* transfer({ walletAddress: partner }, 409)
      assert.strictEqual(body.code, "creator_not_transferable")
      assert.deepStrictEqual(body.details, { mintAddress, creator, reason: "not_creator" })
    }),
  )
})

layer(TestServer.layer({ stage: "complete" }))("A curve that is complete", (it) => {
  it.effect("changes its creator no more until it has migrated", () =>
    Effect.gen(function* () {
      const { body } = yield* transfer({}, 409)
      assert.deepStrictEqual(body.details, { mintAddress, creator, reason: "not_migrated" })
    }),
  )
})

layer(TestServer.layer({ stage: "migrated" }))("A curve that has migrated", (it) => {
  it.effect("gives its leftover to the receiver, whoever sends it, and can change its creator", () =>
    Effect.gen(function* () {
      const leftover = yield* feeOf("leftover")
      assert.strictEqual(leftover.state, "claimable")
      const { data } = (yield* claim(SIGNER, "leftover", 200)).body
      assert.deepInclude(data, { baseAmount: leftover.baseAmount, quoteAmount: "0", lamports: "0" })
      assert.include(accountsOf(data.transactions[0].transaction), leftover.owner)
      assert.strictEqual((yield* transfer({})).body.data.newCreator, NEW_CREATOR)
    }),
  )
})
