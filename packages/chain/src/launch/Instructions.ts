import { AccountRole, type Address, type Instruction } from "@solana/kit"
import {
  DBC_EVENT_AUTHORITY,
  DBC_POOL_AUTHORITY,
  DBC_PROGRAM,
  METADATA_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "./Programs.ts"
import type { TokenLabel } from "./TokenLabelAccounts.ts"

/** `swap` of the DBC program (IDL 0.2.1): u64 amount in, u64 minimum amount out. */
const SWAP = "f8c69e91e17587c8"
const CREATE_POOL_METADATA = "2d61bb67fe6d7c86"
/** `initialize_virtual_pool_with_spl_token`: three strings. */
const INITIALIZE_POOL_SPL = "8c55d7b06636684f"
/** `initialize_virtual_pool_with_token2022`: three strings. */
const INITIALIZE_POOL_2022 = "a976334e916edc9b"

const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole

const account = (address: string, role: AccountRole) => ({ address: address as Address, role })

/** Accounts of a swap at either venue. */
export interface TraderAccounts {
  readonly inputTokenAccount: string
  readonly outputTokenAccount: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly payer: string
  readonly tokenBaseProgram: string
  readonly tokenQuoteProgram: string
  readonly referralTokenAccount?: string
}

export interface SwapAccounts extends TraderAccounts {
  readonly config: string
  readonly pool: string
  readonly baseVault: string
  readonly quoteVault: string
  /** The program inspects the other instructions: with a rate limiter, or a lower fee on the first swap. */
  readonly readsInstructions: boolean
}

/** Swaps exactly `amountIn` for at least `minimumAmountOut`, in smallest units. */
export const swapInstruction = (accounts: SwapAccounts, amountIn: bigint, minimumAmountOut: bigint): Instruction => {
  const data = Buffer.alloc(24)
  data.write(SWAP, "hex")
  data.writeBigUInt64LE(amountIn, 8)
  data.writeBigUInt64LE(minimumAmountOut, 16)
  return {
    programAddress: DBC_PROGRAM,
    accounts: [
      account(DBC_POOL_AUTHORITY, READONLY),
      account(accounts.config, READONLY),
      account(accounts.pool, WRITABLE),
      account(accounts.inputTokenAccount, WRITABLE),
      account(accounts.outputTokenAccount, WRITABLE),
      account(accounts.baseVault, WRITABLE),
      account(accounts.quoteVault, WRITABLE),
      account(accounts.baseMint, READONLY),
      account(accounts.quoteMint, READONLY),
      account(accounts.payer, READONLY_SIGNER),
      account(accounts.tokenBaseProgram, READONLY),
      account(accounts.tokenQuoteProgram, READONLY),
      // An optional account that is left out is written as the program itself.
      accounts.referralTokenAccount === undefined
        ? account(DBC_PROGRAM, READONLY)
        : account(accounts.referralTokenAccount, WRITABLE),
      account(DBC_EVENT_AUTHORITY, READONLY),
      account(DBC_PROGRAM, READONLY),
      ...(accounts.readsInstructions ? [account(SYSVAR_INSTRUCTIONS, READONLY)] : []),
    ],
    data: Uint8Array.from(data),
  }
}

export interface PoolAccounts {
  readonly config: string
  readonly creator: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly pool: string
  readonly baseVault: string
  readonly quoteVault: string
  readonly payer: string
  readonly quoteTokenProgram: string
  /** Address of the Metaplex metadata, for an SPL token; a Token-2022 mint carries its own. */
  readonly mintMetadata?: string
}

/** Bytes that the program reserves for later at the start of the parameters. */
const METADATA_PADDING_BYTES = 96

/** What a pool's creator publishes about it on chain (`create_virtual_pool_metadata`); every text may be empty. */
export interface PoolMetadataTexts {
  readonly name: string
  readonly website: string
  readonly logo: string
}

/** Publishes name, website and logo of a pool; its creator signs. */
export const poolMetadataInstruction = (
  accounts: { readonly pool: string; readonly metadata: string; readonly creator: string; readonly payer: string },
  { logo, name, website }: PoolMetadataTexts,
): Instruction => ({
  programAddress: DBC_PROGRAM,
  accounts: [
    // Programs before 0.2 want it writable, which it is next to the instruction that creates it.
    account(accounts.pool, READONLY),
    account(accounts.metadata, WRITABLE),
    account(accounts.creator, READONLY_SIGNER),
    account(accounts.payer, WRITABLE_SIGNER),
    account(SYSTEM_PROGRAM, READONLY),
    account(DBC_EVENT_AUTHORITY, READONLY),
    account(DBC_PROGRAM, READONLY),
  ],
  data: Uint8Array.from(
    Buffer.concat([
      Buffer.from(CREATE_POOL_METADATA, "hex"),
      Buffer.alloc(METADATA_PADDING_BYTES),
      ...borshTexts([name, website, logo]),
    ]),
  ),
})

/** Strings as Borsh writes them: length in four bytes, then UTF-8. */
const borshTexts = (texts: ReadonlyArray<string>): ReadonlyArray<Buffer> =>
  texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  })

/** Creates the mint, its pool and the vaults, and mints the whole supply into the curve. */
export const initializePoolInstruction = (accounts: PoolAccounts, label: TokenLabel): Instruction => {
  const { mintMetadata } = accounts
  const head = [
    account(accounts.config, READONLY),
    account(DBC_POOL_AUTHORITY, READONLY),
    account(accounts.creator, READONLY_SIGNER),
    account(accounts.baseMint, WRITABLE_SIGNER),
    account(accounts.quoteMint, READONLY),
    account(accounts.pool, WRITABLE),
    account(accounts.baseVault, WRITABLE),
    account(accounts.quoteVault, WRITABLE),
  ]
  const metadata =
    mintMetadata === undefined ? [] : [account(mintMetadata, WRITABLE), account(METADATA_PROGRAM, READONLY)]
  const tail = [
    account(accounts.payer, WRITABLE_SIGNER),
    account(accounts.quoteTokenProgram, READONLY),
    account(mintMetadata === undefined ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM, READONLY),
    account(SYSTEM_PROGRAM, READONLY),
    account(DBC_EVENT_AUTHORITY, READONLY),
    account(DBC_PROGRAM, READONLY),
  ]
  return {
    programAddress: DBC_PROGRAM,
    accounts: [...head, ...metadata, ...tail],
    data: Uint8Array.from(
      Buffer.concat([
        Buffer.from(mintMetadata === undefined ? INITIALIZE_POOL_2022 : INITIALIZE_POOL_SPL, "hex"),
        ...borshTexts([label.name, label.symbol, label.uri]),
      ]),
    ),
  }
}
