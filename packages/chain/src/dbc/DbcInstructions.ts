import type { Instruction } from "@solana/kit"
import type { PoolMetadataTexts, TokenLabel } from "../accounts/TokenLabelAccounts.ts"
import {
  borshText,
  instructionData,
  readonly,
  signer,
  swapData,
  writable,
  writableOr,
  writableSigner,
} from "../venues/ProgramInstruction.ts"
import {
  DBC_EVENT_AUTHORITY,
  DBC_POOL_AUTHORITY,
  DBC_PROGRAM,
  METADATA_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../accounts/Programs.ts"
import type { TokenPair } from "../venues/TokenPair.ts"
import type { SwapOrder } from "../venues/TradingVenue.ts"

/** Instructions of the DBC program (IDL 0.2.1). */
const CREATE_POOL_METADATA = "2d61bb67fe6d7c86"
/** `initialize_virtual_pool_with_spl_token`: three strings. */
const INITIALIZE_POOL_SPL = "8c55d7b06636684f"
/** `initialize_virtual_pool_with_token2022`: three strings. */
const INITIALIZE_POOL_2022 = "a976334e916edc9b"
const TRANSFER_POOL_CREATOR = "1407a9213a93a621"

/** Accounts of a pool. */
export interface PoolAccounts {
  readonly config: string
  readonly pool: string
  readonly baseVault: string
  readonly quoteVault: string
}

/** Swaps exactly an amount for at least another one. */
export const swapInstruction = (
  pool: PoolAccounts & {
    readonly base: Omit<TokenPair["base"], "decimals">
    readonly quote: Omit<TokenPair["quote"], "decimals">
    /** The program inspects the other instructions: with a rate limiter, or a lower fee on the first swap. */
    readonly readsInstructions: boolean
  },
  order: Omit<SwapOrder, "swapBaseForQuote">,
): Instruction => ({
  programAddress: DBC_PROGRAM,
  accounts: [
    readonly(DBC_POOL_AUTHORITY),
    readonly(pool.config),
    writable(pool.pool),
    writable(order.inputTokenAccount),
    writable(order.outputTokenAccount),
    writable(pool.baseVault),
    writable(pool.quoteVault),
    readonly(pool.base.mint),
    readonly(pool.quote.mint),
    signer(order.payer),
    readonly(pool.base.program),
    readonly(pool.quote.program),
    writableOr(DBC_PROGRAM, order.referralTokenAccount),
    readonly(DBC_EVENT_AUTHORITY),
    readonly(DBC_PROGRAM),
    ...(pool.readsInstructions ? [readonly(SYSVAR_INSTRUCTIONS)] : []),
  ],
  data: swapData(order.amountIn, order.minimumAmountOut),
})

/** Bytes that the program reserves for later at the start of the parameters. */
const METADATA_PADDING_BYTES = 96

/** Publishes name, website and logo of a pool (`create_virtual_pool_metadata`); its creator signs. */
export const poolMetadataInstruction = (
  accounts: { readonly pool: string; readonly metadata: string; readonly creator: string; readonly payer: string },
  { logo, name, website }: PoolMetadataTexts,
): Instruction => ({
  programAddress: DBC_PROGRAM,
  accounts: [
    // Programs before 0.2 want it writable; later ones do not mind.
    writable(accounts.pool),
    writable(accounts.metadata),
    signer(accounts.creator),
    writableSigner(accounts.payer),
    readonly(SYSTEM_PROGRAM),
    readonly(DBC_EVENT_AUTHORITY),
    readonly(DBC_PROGRAM),
  ],
  data: instructionData(
    CREATE_POOL_METADATA,
    new Uint8Array(METADATA_PADDING_BYTES),
    ...[name, website, logo].map(borshText),
  ),
})

export interface NewPoolAccounts extends PoolAccounts {
  readonly creator: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly payer: string
  readonly quoteTokenProgram: string
  /** Of a quote mint that has one (DBC 0.2.1). */
  readonly tokenBadge?: string | undefined
  /** Address of the Metaplex metadata, for an SPL token; a Token-2022 mint carries its own. */
  readonly mintMetadata?: string
}

/** Creates the mint, its pool and the vaults, and mints the whole supply into the curve. */
export const initializePoolInstruction = (accounts: NewPoolAccounts, label: TokenLabel): Instruction => {
  const { mintMetadata } = accounts
  return {
    programAddress: DBC_PROGRAM,
    accounts: [
      readonly(accounts.config),
      readonly(DBC_POOL_AUTHORITY),
      signer(accounts.creator),
      writableSigner(accounts.baseMint),
      readonly(accounts.quoteMint),
      writable(accounts.pool),
      writable(accounts.baseVault),
      writable(accounts.quoteVault),
      ...(mintMetadata === undefined ? [] : [writable(mintMetadata), readonly(METADATA_PROGRAM)]),
      writableSigner(accounts.payer),
      readonly(accounts.quoteTokenProgram),
      readonly(mintMetadata === undefined ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
      readonly(DBC_EVENT_AUTHORITY),
      readonly(DBC_PROGRAM),
      ...(accounts.tokenBadge === undefined ? [] : [readonly(accounts.tokenBadge)]),
    ],
    data: instructionData(
      mintMetadata === undefined ? INITIALIZE_POOL_2022 : INITIALIZE_POOL_SPL,
      ...[label.name, label.symbol, label.uri].map(borshText),
    ),
  }
}

/** Gives a pool another creator; the present one signs. */
export const transferCreatorInstruction = (
  { config, pool }: Pick<PoolAccounts, "config" | "pool">,
  creator: string,
  newCreator: string,
): Instruction => ({
  programAddress: DBC_PROGRAM,
  accounts: [
    ...[writable(pool), readonly(config), signer(creator), readonly(newCreator)],
    ...[readonly(DBC_EVENT_AUTHORITY), readonly(DBC_PROGRAM)],
  ],
  data: instructionData(TRANSFER_POOL_CREATOR),
})
