import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { Pools } from "../../src/pools/Pools.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { transferFault } from "../../src/venues/TransferExtensions.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { STRANGER } from "./AccountStates.ts"
import { rpcOver, seededDirectory } from "./CountedChain.ts"

const account = (owner: string, data: Uint8Array) => ({ owner, lamports: 1n, data })

/** A mint of Token-2022 with one extension. */
const mintWith = (type: number, data: Uint8Array) => {
  const bytes = new Uint8Array(170 + data.length)
  bytes.set([1, type, 0, data.length, 0], 165)
  bytes.set(data, 170)
  return account(TOKEN_2022_PROGRAM, bytes)
}
/** An authority, and whether transfers are paused. */
const pausable = (isPaused: number) => Uint8Array.of(...new Uint8Array(32).fill(9), isPaused)

describe("A token that cannot be transferred", () => {
  it("is one whose mint says so", () => {
    const held = account(TOKEN_2022_PROGRAM, new Uint8Array(170))
    const codeOf = (mint: ReturnType<typeof account> | undefined, to: ReturnType<typeof account> | undefined) =>
      transferFault(mint, to)?.code
    assert.strictEqual(codeOf(mintWith(26, pausable(1)), held), "account_unusable")
    assert.isUndefined(codeOf(mintWith(26, pausable(0)), held))
    assert.strictEqual(codeOf(mintWith(9, new Uint8Array()), held), "account_unusable")
    assert.strictEqual(codeOf(mintWith(6, Uint8Array.of(2)), undefined), "account_frozen")
    assert.isUndefined(codeOf(mintWith(6, Uint8Array.of(2)), held))
    assert.isUndefined(codeOf(mintWith(6, Uint8Array.of(1)), undefined))
    assert.isUndefined(codeOf(account(TOKEN_PROGRAM, new Uint8Array(82)), undefined))
    assert.isUndefined(codeOf(undefined, undefined))
  })

  it.live("has no swap built where its pool has a transfer hook, with instructions of its own", () =>
    Effect.gen(function* () {
      const [{ baseMint, pools }] = launches as [(typeof launches)[0], ...typeof launches]
      const data = Buffer.from(pools.mid.data, "base64")
      data.write("eddbb8172abda923", "hex")
      const hooked = { ...pools.mid, lamports: BigInt(pools.mid.lamports), data: Uint8Array.from(data) }
      const services = Swaps.layer.pipe(
        Layer.provide(Layer.provide(Pools.layer, seededDirectory)),
        Layer.provide(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
        Layer.provide(LocalChain.layer({ accounts: [hooked] })),
      )
      const swap = { baseMint, signer: STRANGER, amountIn: 1_000_000n, slippageBps: 100, swapBaseForQuote: false }
      const refused = yield* Effect.flatMap(Swaps, ({ build }) => Effect.flip(build(swap))).pipe(
        Effect.provide(Layer.fresh(services)),
      )
      assert.deepInclude(refused, { _tag: "PoolNotSwappable", reason: "transfer_hook" })
    }),
  )
})
