import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { type Address, getProgramDerivedAddress, isOffCurveAddress, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { sendInstruction, signAndSend } from "./Wallet.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))
const hasPrograms = existsSync(`${PROGRAMS}/dynamic_bonding_curve.so`) && existsSync(`${PROGRAMS}/metaplex.so`)

const chain = Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url))).pipe(
  Layer.provide(LocalChain.layer({ programsFolder: PROGRAMS })),
)
const services = Layer.merge(LaunchTransactions.layer(), Swaps.layer).pipe(
  Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
  Layer.provideMerge(chain),
)

const MULTISIG_PROGRAM = "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf" as Address
const AMOUNT_OFFSET = 64

/** An address without a key, like that of a multisig's vault. */
const vaultOf = (seed: string) =>
  Effect.promise(async () => {
    const [vault] = await getProgramDerivedAddress({ programAddress: MULTISIG_PROGRAM, seeds: ["vault", seed] })
    assert.isTrue(isOffCurveAddress(vault))
    return vault
  })

describe(`Multisig vaults${hasPrograms ? "" : " (skipped: no program files in programs/)"}`, () => {
  it.live.skipIf(!hasPrograms)("claim fees, receive leftovers, and are paid referral fees", () =>
    Effect.gen(function* () {
      const [rpc, pools, swaps, transactions] = [yield* Rpc, yield* Pools, yield* Swaps, yield* LaunchTransactions]
      const [feeClaimer, leftoverReceiver, referrer] = [yield* vaultOf("1"), yield* vaultOf("2"), yield* vaultOf("3")]
      const wallet = yield* Effect.promise(newKeyPair)
      const signer = wallet.address
      yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(100_000_000_000n)))

      const dbcConfig = { feeClaimer, leftoverReceiver } as never
      const config = yield* transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig })
      yield* signAndSend(wallet.keyPair, config.unsigned.transaction)
      assert.deepInclude(yield* pools.getConfig(config.configAddress), { feeClaimer, leftoverReceiver })
      const label = { name: "Vaults", symbol: "VLT", uri: "https://example.com/v.json" }
      const pool = yield* transactions.buildPool({ signer, config: config.configAddress, facts: config, label })
      yield* signAndSend(wallet.keyPair, pool.unsigned.transaction)

      const referral = yield* Effect.promise(() => associatedTokenAddress(referrer, NATIVE_MINT, TOKEN_PROGRAM))
      yield* Effect.promise(() =>
        sendInstruction(rpc, wallet, (payer) =>
          getCreateAssociatedTokenIdempotentInstruction({ payer, ata: referral, owner: referrer, mint: NATIVE_MINT }),
        ),
      )
      const swap = { baseMint: pool.baseMint, signer, amountIn: 1_000_000_000n, slippageBps: 100 }
      const bought = yield* swaps.build({ ...swap, swapBaseForQuote: false, referralTokenAccount: referral })
      yield* signAndSend(wallet.keyPair, bought.unsigned.transaction)
      const [paid] = (yield* pools.readAccounts([referral])).accounts
      assert.isTrue(new AccountReader(paid!.data).u64(AMOUNT_OFFSET) > 0n)
    }).pipe(Effect.provide(services)),
  )
})
