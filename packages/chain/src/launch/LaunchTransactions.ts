import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import {
  type ChainUnavailable,
  type ConfigNotFound,
  CurveCompleted,
  InvalidDbcConfig,
  InvalidLaunch,
  InvalidSwap,
  type PoolNotFound,
} from "@launch-registry/domain/launch/LaunchErrors"
import type { SwapQuote } from "@launch-registry/domain/launch/Pool"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import { Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { type CompleteDbcConfig, completeConfig, CONFIG_PRESETS } from "./ConfigPreset.ts"
import { configIssues } from "./ConfigRules.ts"
import { curveRequest } from "./CurveRequest.ts"
import { type DbcSdk, loadDbcSdk } from "./DbcSdk.ts"
import { poolAddress, tokenMetadataAddress, vaultAddress } from "./DerivedAddresses.ts"
import { initializePoolInstruction } from "./Instructions.ts"
import { newKeyPair } from "./KeyPairBytes.ts"
import { chainUnavailable, type LocatedCurve, MINT_DECIMALS_OFFSET, NATIVE_DECIMALS, Pools } from "./Pools.ts"
import { graduatedPool, isComplete } from "./PoolViews.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"
import { swapInstructions } from "./SwapInstructions.ts"
import { quoteSwap } from "./SwapQuoting.ts"
import type { TokenLabel } from "./TokenLabelAccounts.ts"
import { type TransactionPlan, type UnsignedTransaction, unsignedTransaction } from "./UnsignedTransaction.ts"

/** Measured use (config 54-78k, 156k with sixteen points, pool 80-116k, swap with new accounts 68-84k) with room above it. */
const CONFIG_UNITS = 250_000
const POOL_UNITS = 180_000
const SWAP_UNITS = 200_000
/** Price when the caller names none: enough to be looked at, worth less than a signature. */
const DEFAULT_PRICE_MICRO_LAMPORTS = 10_000n

/** What of a configuration a pool is built with. */
export interface ConfigFacts {
  readonly quoteMint: string
  /** 0 SPL Token, 1 Token-2022. */
  readonly tokenType: number
  readonly tokenDecimals: number
}

export interface ConfigRequest {
  readonly signer: string
  readonly launchpad: Launchpad
  readonly dbcConfig?: DbcConfig
  readonly quoteMint?: string
}

export interface BuiltConfig extends ConfigFacts {
  readonly configAddress: string
  /** Base58 of the 64 bytes. Key material: for the answer alone. */
  readonly secretKey: string
  readonly unsigned: UnsignedTransaction
}

export interface PoolRequest {
  readonly signer: string
  readonly config: string
  readonly facts: ConfigFacts
  readonly label: TokenLabel
  /** The caller's own mint key, which then signs; a new one is made otherwise. */
  readonly baseMint?: string
}

export interface SwapRequest {
  readonly baseMint: string
  readonly signer?: string
  readonly amountIn: bigint
  readonly slippageBps: number
  readonly swapBaseForQuote: boolean
  readonly computeUnitPriceMicroLamports?: bigint
  readonly referralTokenAccount?: string
}

type SwapFailure = PoolNotFound | CurveCompleted | InvalidSwap | ChainUnavailable

/** Builds the transactions of a launch, each for the signer's wallet to sign. */
export class LaunchTransactions extends Context.Service<
  LaunchTransactions,
  {
    readonly buildConfig: (request: ConfigRequest) => Effect.Effect<BuiltConfig, InvalidDbcConfig | ChainUnavailable>
    readonly getConfigFacts: (config: string) => Effect.Effect<ConfigFacts, ConfigNotFound | ChainUnavailable>
    readonly buildPool: (
      request: PoolRequest,
    ) => Effect.Effect<
      { readonly baseMint: string; readonly unsigned: UnsignedTransaction },
      InvalidLaunch | ChainUnavailable
    >
    readonly quote: (request: SwapRequest) => Effect.Effect<SwapQuote, SwapFailure>
    readonly buildSwap: (
      request: SwapRequest & { readonly signer: string },
    ) => Effect.Effect<{ readonly quote: SwapQuote; readonly unsigned: UnsignedTransaction }, SwapFailure>
  }
>()("@launch-registry/chain/launch/LaunchTransactions") {
  static readonly layer = Layer.effect(
    LaunchTransactions,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const pools = yield* Pools

      const build = (plan: TransactionPlan) =>
        Effect.flatMap(Effect.catch(rpc.getLatestBlockhash, chainUnavailable), (latest) =>
          Effect.promise(() => unsignedTransaction(plan, latest)),
        )

      const findMintDecimals = Effect.fnUntraced(function* (mint: string) {
        if (mint === NATIVE_MINT) return NATIVE_DECIMALS
        const [account] = (yield* pools.readAccounts([mint])).accounts
        const isMint = account?.owner === TOKEN_PROGRAM || account?.owner === TOKEN_2022_PROGRAM
        return isMint ? account.data[MINT_DECIMALS_OFFSET] : undefined
      })

      const buildConfig = Effect.fn("LaunchTransactions.buildConfig")(function* (request: ConfigRequest) {
        const config = completeConfig(CONFIG_PRESETS[request.launchpad], request.dbcConfig)
        const quoteMint = request.quoteMint ?? NATIVE_MINT
        const issues = [...configIssues(config), ...quoteIssues(config, quoteMint, yield* findMintDecimals(quoteMint))]
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
        const unsigned = yield* build({
          feePayer: request.signer,
          instructions: [instruction],
          signers: [key.keyPair],
          computeUnitLimit: CONFIG_UNITS,
          computeUnitPriceMicroLamports: DEFAULT_PRICE_MICRO_LAMPORTS,
        })
        return {
          configAddress: key.address,
          secretKey: encodeBase58(key.secretKey),
          unsigned,
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
        if (quoteMint === NATIVE_MINT) return TOKEN_PROGRAM
        const [account] = (yield* pools.readAccounts([quoteMint])).accounts
        if (account?.owner === TOKEN_PROGRAM || account?.owner === TOKEN_2022_PROGRAM) return account.owner
        const message = `expected a config whose quote mint exists; there is no token mint at ${quoteMint}`
        return yield* new InvalidLaunch({ issues: [{ path: "body.dbcConfigKeypair", message }] })
      })

      const buildPool = Effect.fn("LaunchTransactions.buildPool")(function* ({
        baseMint,
        config,
        facts,
        label,
        signer,
      }: PoolRequest) {
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
        const unsigned = yield* build({
          feePayer: signer,
          instructions: [instruction],
          signers: key === undefined ? [] : [key.keyPair],
          computeUnitLimit: POOL_UNITS,
          computeUnitPriceMicroLamports: DEFAULT_PRICE_MICRO_LAMPORTS,
        })
        return { baseMint: mint, unsigned }
      })

      const quoteOn = Effect.fnUntraced(function* (curve: LocatedCurve, request: SwapRequest) {
        if (isComplete(curve)) {
          const { baseMint, isMigrated } = curve.pool
          return yield* new CurveCompleted({
            baseMint,
            isMigrated,
            graduatedPool: yield* Effect.promise(() => graduatedPool(curve)),
          })
        }
        const sdk = yield* Effect.promise(loadDbcSdk)
        const quoted = yield* Effect.try({
          try: () => quoteSwap(sdk, curve, { ...request, hasReferral: request.referralTokenAccount !== undefined }),
          catch: (error) =>
            new InvalidSwap({
              issues: [
                { path: "body.amount", message: `the curve cannot fill this swap: ${(error as Error).message}` },
              ],
            }),
        })
        if (quoted.expectedAmountOut === "0") {
          const message = "expected a larger amount: at the price of the curve this one would give nothing"
          return yield* new InvalidSwap({ issues: [{ path: "body.amount", message }] })
        }
        return quoted
      })

      const quote = Effect.fn("LaunchTransactions.quote")(function* (request: SwapRequest) {
        return yield* quoteOn(yield* pools.getCurve(request.baseMint), request)
      })

      const buildSwap = Effect.fn("LaunchTransactions.buildSwap")(function* (
        request: SwapRequest & { readonly signer: string },
      ) {
        const curve = yield* pools.getCurve(request.baseMint)
        const quoted = yield* quoteOn(curve, request)
        const { referralTokenAccount } = request
        const order = {
          owner: request.signer,
          amountIn: request.amountIn,
          minimumAmountOut: BigInt(quoted.minimumAmountOut),
          swapBaseForQuote: request.swapBaseForQuote,
          ...(referralTokenAccount === undefined ? {} : { referralTokenAccount }),
        }
        const instructions = yield* Effect.promise(() => swapInstructions(curve, order))
        const unsigned = yield* build({
          feePayer: request.signer,
          instructions,
          signers: [],
          computeUnitLimit: SWAP_UNITS,
          computeUnitPriceMicroLamports: request.computeUnitPriceMicroLamports ?? DEFAULT_PRICE_MICRO_LAMPORTS,
        })
        return { quote: quoted, unsigned }
      })

      return LaunchTransactions.of({ buildConfig, getConfigFacts, buildPool, quote, buildSwap })
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
      catch: (error) =>
        new InvalidDbcConfig({
          issues: [{ path: "body.dbcConfig", message: `no curve can be built of it: ${(error as Error).message}` }],
        }),
    }),
  )
