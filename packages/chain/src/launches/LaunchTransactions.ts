import { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { LaunchCost, WalletFunds } from "@launch-registry/domain/launch/LaunchCost"
import type { CreatorNotTransferable } from "@launch-registry/domain/launch/TransferCreator"
import { refuseIssues } from "../build/RefuseIssues.ts"
import { Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { isFreeAddress } from "../accounts/AccountReads.ts"
import { buildCreatorTransfer, type CreatorTransfer, type CreatorTransferTransaction } from "./CreatorTransfer.ts"
import { LAUNCHPAD_PRESETS, type LaunchpadPresets } from "./ConfigPreset.ts"
import { checkConfig, type ConfigFacts, configStep, type CreatedConfig, type NewConfig } from "./ConfigStep.ts"
import { DBC_PROGRAM } from "../accounts/Programs.ts"
import { decodeConfig } from "../dbc/ConfigAccount.ts"
import { paymentsOf } from "../build/Payments.ts"
import { readLaunchState } from "./LaunchState.ts"
import { type PaymentOptions, planned } from "../build/LaunchStep.ts"
import { newKeyPair } from "../build/NewKeyPair.ts"
import { Pools } from "../pools/Pools.ts"
import { poolMetadataStep, poolStep } from "./PoolStep.ts"
import { PriorityFees } from "../build/PriorityFees.ts"
import { signingIssues } from "../build/SigningKeys.ts"
import type { PoolMetadataTexts, TokenLabel } from "../accounts/TokenLabelAccounts.ts"
import { buildTransaction, fits, type UnsignedTransaction } from "../build/UnsignedTransaction.ts"

/** A transaction of a launch, what it takes from the wallet, and whether the wallet can pay. */
export interface PaidTransaction {
  readonly unsigned: UnsignedTransaction
  readonly cost: LaunchCost
  readonly wallet: WalletFunds
}

export interface ConfigTransaction extends CreatedConfig, PaidTransaction {}

/** A token and its pool to create. */
export interface NewPool {
  readonly signer: string
  readonly config: string
  /** What is said of the configuration: it counts until its account exists, then what that holds. */
  readonly facts: ConfigFacts
  readonly label: TokenLabel
  /** The caller's own mint key, which then signs; a new one is made otherwise. */
  readonly baseMint?: string
  /** Published about the pool on chain, where the transaction has room for it. */
  readonly poolMetadata?: PoolMetadataTexts
}

export interface PoolTransaction extends PaidTransaction {
  readonly baseMint: string
  readonly pool: string
  readonly isMetadataPublished: boolean
}

/** Builds the transactions of a launch, each for the signer's wallet to sign. */
export class LaunchTransactions extends Context.Service<
  LaunchTransactions,
  {
    readonly buildConfig: (
      request: NewConfig & PaymentOptions,
    ) => Effect.Effect<ConfigTransaction, InvalidRequest | Unavailable>
    readonly getConfigFacts: (config: string) => Effect.Effect<ConfigFacts, NotFound | Unavailable>
    readonly buildPool: (
      request: NewPool & PaymentOptions,
    ) => Effect.Effect<PoolTransaction, InvalidRequest | NotFound | Unavailable>
    readonly transferCreator: (
      request: CreatorTransfer,
    ) => Effect.Effect<CreatorTransferTransaction, InvalidRequest | NotFound | CreatorNotTransferable | Unavailable>
  }
>()("@launch-registry/chain/launches/LaunchTransactions") {
  static readonly layer = (presets: LaunchpadPresets = LAUNCHPAD_PRESETS) =>
    Layer.effect(
      LaunchTransactions,
      Effect.gen(function* () {
        const rpc = yield* Rpc
        const pools = yield* Pools
        const fees = yield* PriorityFees

        const buildConfig = Effect.fn("LaunchTransactions.buildConfig")(function* (
          request: NewConfig & PaymentOptions,
        ) {
          const { priorityFee, signer, transactionVersion: version } = request
          const checked = yield* checkConfig(presets, request)
          yield* refuseIssues(fees.issuesOf(priorityFee))
          const { quoteMint } = checked
          // The chain is asked only for a configuration that could be built.
          const { lamports, quote, rent } = yield* readLaunchState(pools, { signer, quoteMint }, {})
          const { created, step } = yield* configStep(checked, signer, { quote, rent })
          const transaction = planned([step], {
            ...{ feePayer: signer, version, priceOf: yield* fees.priceOf(priorityFee, []) },
          })
          const unsigned = yield* buildTransaction(rpc, transaction.plan)
          return { ...created, ...paymentsOf([transaction], lamports, rent), unsigned }
        })

        /**
         * The configuration as its account has it, and the state of the chain, in one request. Whoever has the key of a
         * configuration that was built here can create another one at its address.
         */
        const readConfigured = Effect.fnUntraced(function* ({ baseMint, config, facts: said, signer }: NewPool) {
          const named = { config, ...(baseMint !== undefined && { mint: baseMint }) } as Record<
            "config" | "mint",
            string
          >
          const state = yield* readLaunchState(pools, { signer, quoteMint: said.quoteMint }, named)
          const account = state.accounts.config
          if (account === undefined || isFreeAddress(account)) return { facts: said, state }
          const facts = account.owner === DBC_PROGRAM ? decodeConfig(account.data) : undefined
          if (facts === undefined) return yield* new NotFound({ resource: "config", id: config })
          const { quoteMint } = facts
          return quoteMint === said.quoteMint
            ? { facts, state }
            : { facts, state: yield* readLaunchState(pools, { signer, quoteMint }, {}) }
        })

        const requireSignable = ({ baseMint, config, signer }: NewPool, quoteMint: string) => {
          const others = { "the config": config, "the quote mint": quoteMint }
          const issues = [
            ...signingIssues("body.signer", signer, others),
            ...(baseMint === undefined
              ? []
              : signingIssues("body.mintAddress", baseMint, { "the signer": signer, ...others })),
          ]
          return refuseIssues(issues)
        }

        const buildPool = Effect.fn("LaunchTransactions.buildPool")(function* (request: NewPool & PaymentOptions) {
          const { baseMint, config, poolMetadata, priorityFee, signer, transactionVersion: version } = request
          yield* requireSignable(request, request.facts.quoteMint)
          yield* refuseIssues(fees.issuesOf(priorityFee))
          const { facts, state } = yield* readConfigured(request)
          const { lamports, quote, rent } = state
          const { quoteMint } = facts
          yield* requireSignable(request, quoteMint)
          if (quote === undefined) {
            const message = `expected a config whose quote mint exists; there is no token mint at ${quoteMint}`
            return yield* InvalidRequest.at("body.dbcConfigKeypair", message)
          }
          const mint = baseMint === undefined ? yield* Effect.promise(newKeyPair) : { address: baseMint }
          const { accounts, step } = yield* poolStep({ ...request, facts, mint, quote, rent })
          yield* pools.expect(mint.address, { pool: accounts.pool, config })
          const paying = { feePayer: signer, version, priceOf: yield* fees.priceOf(priorityFee, []) }
          const plain = planned([step], paying)
          const larger =
            poolMetadata === undefined
              ? undefined
              : planned([step, yield* poolMetadataStep({ pool: accounts.pool, signer }, poolMetadata, rent)], paying)
          // Left out where it would make the transaction too large for a packet.
          const published = larger !== undefined && fits(larger.plan) ? larger : undefined
          const transaction = published ?? plain
          const unsigned = yield* buildTransaction(rpc, transaction.plan)
          return {
            ...{ baseMint: mint.address, pool: accounts.pool, unsigned },
            ...paymentsOf([transaction], lamports, rent),
            isMetadataPublished: published !== undefined,
          }
        })

        const transferCreator = (request: CreatorTransfer) => buildCreatorTransfer({ fees, pools, rpc }, request)

        return LaunchTransactions.of({ buildConfig, getConfigFacts: pools.getConfig, buildPool, transferCreator })
      }),
    ).pipe(Layer.provide(PriorityFees.layer))
}
