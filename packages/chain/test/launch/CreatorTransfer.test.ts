import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { DBC_POOL_AUTHORITY } from "../../src/accounts/Programs.ts"
import { buildTransaction } from "../../src/build/UnsignedTransaction.ts"
import { transferCreatorInstruction } from "../../src/dbc/DbcInstructions.ts"
import { decodeTransaction } from "../../src/events/DecodeTransaction.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { completingAmount, launched, migrate } from "./GraduatedLaunch.ts"
import { landed } from "./MigratedSwaps.ts"
import { hasDammV2Programs, launchServices } from "./RealPrograms.ts"
import { balanceOf, signAndSend, walletWith } from "./Wallet.ts"

type Wallet = Effect.Success<ReturnType<typeof walletWith>>

const creatorOf = (baseMint: string) =>
  Effect.map(
    Effect.flatMap(Pools, ({ getCurve }) => getCurve(baseMint)),
    ({ pool }) => pool.creator,
  )

/** Hands over, and asserts what event, account and wallet say then. */
const transfers = Effect.fn(function* (baseMint: string, wallet: Wallet, newCreator: string) {
  const { transferCreator } = yield* LaunchTransactions
  const built = yield* transferCreator({ baseMint, wallet: wallet.address, newCreator })
  assert.isTrue(built.wallet.sufficient)
  const before = yield* balanceOf(wallet.address)
  const signature = yield* signAndSend(wallet.keyPair, built.unsigned.transaction)
  const [event] = decodeTransaction(yield* landed(signature))
  assert.deepInclude(event, { type: "PoolCreatorChanged", pool: built.pool, creator: wallet.address, newCreator })
  assert.strictEqual(before - (yield* balanceOf(wallet.address)), BigInt(built.cost.total))
  assert.strictEqual(yield* creatorOf(baseMint), newCreator)
})

/** Refused here for this reason, and by the program, which is asked with the bare instruction. */
const refused = Effect.fn(function* (baseMint: string, wallet: Wallet, newCreator: string, why: string) {
  const [rpc, pools, { transferCreator }] = [yield* Rpc, yield* Pools, yield* LaunchTransactions]
  const failure = yield* Effect.flip(transferCreator({ baseMint, wallet: wallet.address, newCreator }))
  assert.include(JSON.stringify(failure), why)
  const { address, pool } = yield* pools.getCurve(baseMint)
  const instruction = transferCreatorInstruction({ config: pool.config, pool: address }, wallet.address, newCreator)
  const { transaction } = yield* buildTransaction(rpc, {
    ...{ feePayer: wallet.address, instructions: [instruction], signers: [], computeUnitLimit: 100_000 },
    computeUnitPriceMicroLamports: 0n,
  })
  assert.isTrue(Exit.isFailure(yield* Effect.exit(signAndSend(wallet.keyPair, transaction))), why)
})

describe.skipIf(!hasDammV2Programs)(
  "A pool gets another creator on the real programs (needs the program files)",
  () => {
    for (const tokenType of [0, 1] as const)
      it.live(`on its curve and after its migration, of ${tokenType === 0 ? "an SPL" : "a Token-2022"} token`, () =>
        Effect.gen(function* () {
          const swaps = yield* Swaps
          const [first, second] = [yield* walletWith(1_000_000_000_000n), yield* walletWith(1_000_000_000n)]
          const { baseMint, pool } = yield* launched(first, { tokenType, migrationFeeOption: 2 })
          yield* refused(baseMint, second, second.address, "not_creator")
          yield* refused(baseMint, first, first.address, "is the creator already")
          yield* transfers(baseMint, first, second.address)
          yield* refused(baseMint, first, first.address, "not_creator")
          const amountIn = yield* completingAmount(baseMint)
          const buy = { baseMint, signer: first.address, amountIn, slippageBps: 100, swapBaseForQuote: false }
          yield* signAndSend(first.keyPair, (yield* swaps.build(buy)).unsigned.transaction)
          yield* refused(baseMint, second, first.address, "not_migrated")
          yield* migrate(first.secretKey, pool, 2)
          // Off the curve, as a vault for sharing fees is.
          yield* transfers(baseMint, second, DBC_POOL_AUTHORITY)
        }).pipe(Effect.provide(launchServices())),
      )
  },
)
