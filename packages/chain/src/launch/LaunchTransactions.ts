import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import {
  type ChainUnavailable,
  type ConfigNotFound,
  InvalidDbcConfig,
  InvalidLaunch,
} from "@launch-registry/domain/launch/LaunchErrors"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import { Context, Effect, Layer, Redacted } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { buildTransaction } from "./BuildTransaction.ts"
import { type CompleteDbcConfig, completeConfig, LAUNCHPAD_PRESETS, type LaunchpadPresets } from "./ConfigPreset.ts"
import { configIssues } from "./ConfigRules.ts"
import { curveRequest } from "./CurveRequest.ts"
import { type DbcSdk, loadDbcSdk } from "./DbcSdk.ts"
import { poolAddress, poolMetadataAddress, tokenMetadataAddress, vaultAddress } from "./DerivedAddresses.ts"
import { initializePoolInstruction, poolMetadataInstruction, type PoolMetadataTexts } from "./Instructions.ts"
import { newKeyPair } from "./NewKeyPair.ts"
import { NATIVE_DECIMALS, Pools } from "./Pools.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "./Programs.ts"
import { refusalIssue } from "./SdkRefusals.ts"
import { signingIssues } from "./SigningKeys.ts"
import type { TokenLabel } from "./TokenLabelAccounts.ts"
import { type MintAccount, mintOf } from "./TokenLayouts.ts"
import {
  DEFAULT_PRICE_MICRO_LAMPORTS,
  type TransactionPlan,
  TransactionTooLarge,
  type UnsignedTransaction,
} from "./UnsignedTransaction.ts"

/** Measured use (config 54-78k, 156k with sixteen points, pool 80-116k) with room above it. */
const CONFIG_UNITS = 250_000
const POOL_UNITS = 180_000
/** Measured at 22k. */
const METADATA_UNITS = 40_000

/** The mint of SOL needs no looking up. */
const NATIVE: MintAccount = { program: TOKEN_PROGRAM, supply: 0n, decimals: NATIVE_DECIMALS }

/** What of a configuration a pool is built with. */
export interface ConfigFacts {
  readonly quoteMint: string
  /** 0 SPL Token, 1 Token-2022. */
  readonly tokenType: number
  readonly tokenDecimals: number
}

/** A configuration to create: the fields that are merged over the preset of a launchpad. */
export interface NewConfig {
  readonly signer: string
  readonly launchpad: Launchpad
  readonly dbcConfig?: DbcConfig
  readonly quoteMint?: string
}

/** Where the money of a launch goes. */
export interface FeeAddresses {
  /** Who may claim the platform's part of the trading fees. */
  readonly feeClaimer: string
  /** Who gets the base tokens that are left over. */
  readonly leftoverReceiver: string
  /** Whether the request or the settings name the fee claimer; otherwise it is the signer. */
  readonly isFeeClaimerNamed: boolean
}

export interface ConfigTransaction extends ConfigFacts {
  readonly configAddress: string
  /** The whole configuration, with the accounts that it names. */
  readonly dbcConfig: DbcConfig
  /** Base58 of the 64 bytes: for the answer alone. */
  readonly secretKey: Redacted.Redacted
  readonly fees: FeeAddresses
  readonly unsigned: UnsignedTransaction
}

/** A token and its pool to create. */
export interface NewPool {
  readonly signer: string
  readonly config: string
  readonly facts: ConfigFacts
  readonly label: TokenLabel
  /** The caller's own mint key, which then signs; a new one is made otherwise. */
  readonly baseMint?: string
  /** Published about the pool on chain, where the transaction has room for it. */
  readonly poolMetadata?: PoolMetadataTexts
}

export interface PoolTransaction {
  readonly baseMint: string
  readonly pool: string
  readonly unsigned: UnsignedTransaction
  readonly isMetadataPublished: boolean
}

/** Builds the transactions of a launch, each for the signer's wallet to sign. */
export class LaunchTransactions extends Context.Service<
  LaunchTransactions,
  {
    readonly buildConfig: (request: NewConfig) => Effect.Effect<ConfigTransaction, InvalidDbcConfig | ChainUnavailable>
    readonly getConfigFacts: (config: string) => Effect.Effect<ConfigFacts, ConfigNotFound | ChainUnavailable>
    readonly buildPool: (request: NewPool) => Effect.Effect<PoolTransaction, InvalidLaunch | ChainUnavailable>
  }
>()("@launch-registry/chain/launch/LaunchTransactions") {
  static readonly layer = (presets: LaunchpadPresets = LAUNCHPAD_PRESETS) =>
    Layer.effect(
      LaunchTransactions,
      Effect.gen(function* () {
        const rpc = yield* Rpc
        const pools = yield* Pools

        const findMint = (mint: string): Effect.Effect<MintAccount | undefined, ChainUnavailable> =>
          mint === NATIVE_MINT
            ? Effect.succeed(NATIVE)
            : Effect.map(pools.readAccounts([mint]), ({ accounts }) => mintOf(accounts[0]))

        const buildConfig = Effect.fn("LaunchTransactions.buildConfig")(function* (request: NewConfig) {
          const preset = presets[request.launchpad]
          const config = completeConfig(preset.config, request.dbcConfig)
          const quoteMint = request.quoteMint ?? preset.quoteMint
          const rules = [
            ...signingIssues("body.signer", request.signer, { "the quote mint": quoteMint }),
            ...configIssues(config),
          ]
          // The quote mint is looked up only for a configuration that could be built.
          const issues =
            rules.length > 0 ? rules : quoteIssues(config, quoteMint, (yield* findMint(quoteMint))?.decimals)
          if (issues.length > 0) return yield* new InvalidDbcConfig({ issues })
          const key = yield* Effect.promise(newKeyPair)
          const accounts = {
            config: key.address,
            feeClaimer: config.feeClaimer ?? request.signer,
            leftoverReceiver: config.leftoverReceiver ?? request.signer,
            quoteMint,
            payer: request.signer,
          }
          const instruction = yield* refusedBySdk(async (sdk) =>
            sdk.createConfig(accounts, sdk.buildCurve(curveRequest(config))),
          )
          const { feeClaimer, leftoverReceiver } = accounts
          const unsigned = yield* buildTransaction(rpc, {
            feePayer: request.signer,
            instructions: [instruction],
            signers: [key.keyPair],
            computeUnitLimit: CONFIG_UNITS,
            computeUnitPriceMicroLamports: DEFAULT_PRICE_MICRO_LAMPORTS,
          })
          return {
            configAddress: key.address,
            secretKey: Redacted.make(encodeBase58(key.secretKey)),
            fees: { feeClaimer, leftoverReceiver, isFeeClaimerNamed: config.feeClaimer !== undefined },
            unsigned,
            dbcConfig: { ...config, feeClaimer, leftoverReceiver } as DbcConfig,
            quoteMint: accounts.quoteMint,
            tokenType: config.tokenType,
            tokenDecimals: config.tokenBaseDecimal,
          }
        })

        const getConfigFacts = Effect.fn("LaunchTransactions.getConfigFacts")(function* (config: string) {
          const { quoteMint, tokenDecimal, tokenType } = yield* pools.getConfig(config)
          return { quoteMint, tokenType, tokenDecimals: tokenDecimal }
        })

        const quoteTokenProgram = Effect.fnUntraced(function* (quoteMint: string) {
          const found = yield* findMint(quoteMint)
          if (found !== undefined) return found.program
          const message = `expected a config whose quote mint exists; there is no token mint at ${quoteMint}`
          return yield* new InvalidLaunch({ issues: [{ path: "body.dbcConfigKeypair", message }] })
        })

        const buildPool = Effect.fn("LaunchTransactions.buildPool")(function* ({
          baseMint,
          config,
          facts,
          label,
          poolMetadata,
          signer,
        }: NewPool) {
          const others = { "the config": config, "the quote mint": facts.quoteMint }
          const issues = [
            ...signingIssues("body.signer", signer, others),
            ...(baseMint === undefined
              ? []
              : signingIssues("body.baseMint", baseMint, { "the signer": signer, ...others })),
          ]
          if (issues.length > 0) return yield* new InvalidLaunch({ issues })
          const key = baseMint === undefined ? yield* Effect.promise(newKeyPair) : undefined
          const mint = baseMint ?? key!.address
          const program = yield* quoteTokenProgram(facts.quoteMint)
          const pool = yield* Effect.promise(() => poolAddress(config, mint, facts.quoteMint))
          const [baseVault, quoteVault, mintMetadata] = yield* Effect.promise(() =>
            Promise.all([vaultAddress(mint, pool), vaultAddress(facts.quoteMint, pool), tokenMetadataAddress(mint)]),
          )
          const accounts = {
            config,
            creator: signer,
            baseMint: mint,
            quoteMint: facts.quoteMint,
            pool,
            baseVault,
            quoteVault,
          }
          const instruction = initializePoolInstruction(
            {
              ...accounts,
              payer: signer,
              quoteTokenProgram: program,
              ...(facts.tokenType === 0 ? { mintMetadata } : {}),
            },
            label,
          )
          yield* pools.expect(mint, { pool, config })
          const plan: TransactionPlan = {
            feePayer: signer,
            instructions: [instruction],
            signers: key === undefined ? [] : [key.keyPair],
            computeUnitLimit: POOL_UNITS,
            computeUnitPriceMicroLamports: DEFAULT_PRICE_MICRO_LAMPORTS,
          }
          const published =
            poolMetadata === undefined
              ? undefined
              : yield* withMetadata(plan, { pool, creator: signer, texts: poolMetadata })
          const unsigned = published ?? (yield* buildTransaction(rpc, plan))
          return { baseMint: mint, pool, unsigned, isMetadataPublished: published !== undefined }
        })

        /** The plan with the pool's metadata, or nothing when that makes it too large for a packet. */
        const withMetadata = Effect.fnUntraced(function* (
          plan: TransactionPlan,
          {
            creator,
            pool,
            texts,
          }: { readonly creator: string; readonly pool: string; readonly texts: PoolMetadataTexts },
        ) {
          const metadata = yield* Effect.promise(() => poolMetadataAddress(pool))
          const instruction = poolMetadataInstruction({ pool, metadata, creator, payer: creator }, texts)
          const larger = {
            ...plan,
            instructions: [...plan.instructions, instruction],
            computeUnitLimit: plan.computeUnitLimit + METADATA_UNITS,
          }
          return yield* Effect.catchDefect(buildTransaction(rpc, larger), (defect) =>
            defect instanceof TransactionTooLarge ? Effect.succeed(undefined) : Effect.die(defect),
          )
        })

        return LaunchTransactions.of({ buildConfig, getConfigFacts, buildPool })
      }),
    )
}

/** A curve is built for the decimals of its quote token: with others every price would be off by powers of ten. */
const quoteIssues = (config: CompleteDbcConfig, quoteMint: string, decimals: number | undefined) => {
  if (decimals === undefined)
    return [{ path: "body.quoteMint", message: `expected a token mint; there is none at ${quoteMint}` }]
  if (decimals === config.tokenQuoteDecimal) return []
  return [{ path: "body.dbcConfig.tokenQuoteDecimal", message: `expected ${decimals}, the decimals of the quote mint` }]
}

/** What the SDK throws is about the configuration it was given. */
const refusedBySdk = <A>(use: (sdk: DbcSdk) => Promise<A>): Effect.Effect<A, InvalidDbcConfig> =>
  Effect.flatMap(Effect.promise(loadDbcSdk), (sdk) =>
    Effect.tryPromise({
      try: () => use(sdk),
      catch: (error) => new InvalidDbcConfig({ issues: [refusalIssue((error as Error).message)] }),
    }),
  )
