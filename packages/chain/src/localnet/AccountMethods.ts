import { zstdCompressSync } from "node:zlib"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { type MintAccount, mintOf, tokenAccountOf } from "../accounts/TokenLayouts.ts"
import { invalidParams } from "./JsonRpcFault.ts"
import type { Account } from "./Account.ts"
import type { Ledger } from "./Ledger.ts"
import { inContext } from "./AnswerContext.ts"
import { parsedData } from "./ParsedAccount.ts"
import { uiAmount } from "./UiAmount.ts"

interface AccountConfig {
  readonly encoding?: string
  readonly dataSlice?: { readonly offset: number; readonly length: number }
  readonly filters?: ReadonlyArray<Filter>
  readonly withContext?: boolean
}

type Filter =
  | { readonly dataSize: number }
  | { readonly memcmp: { readonly offset: number; readonly bytes: string; readonly encoding?: string } }

const MULTIPLE_ACCOUNTS_MAX = 100
/** How many of the largest accounts a node lists. */
const LARGEST = 20
/** The limit of every node: encoding base58 takes time that grows with the square of the length. */
const BASE58_BYTES_MAX = 128

/** `value` as a public key; throws a JSON-RPC error when it is none. */
export const addressParam = (value: unknown): string => {
  if (typeof value !== "string" || !isAddress(value)) throw invalidParams("expected a base58 public key")
  return value
}

const config = (value: unknown): AccountConfig => (typeof value === "object" && value !== null ? value : {})

/** An account as JSON-RPC writes it, with the encoding and the slice that were asked for. */
export const accountJson = (ledger: Ledger, account: Account, options: unknown) => {
  const { dataSlice, encoding = "base58" } = config(options)
  const data =
    dataSlice === undefined || dataSlice === null
      ? account.data
      : account.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length)
  if (encoding === "jsonParsed")
    return {
      ...fieldsOf(account),
      data: parsedData(account, (mint) => mintOf(ledger.account(mint))?.decimals) ?? [base64(data), "base64"],
    }
  if (encoding === "base58" && data.length > BASE58_BYTES_MAX)
    throw invalidParams(
      `Encoded binary (base 58) data should be less than ${BASE58_BYTES_MAX} bytes, please use Base64 encoding.`,
    )
  if (encoding === "base64+zstd") return { ...fieldsOf(account), data: [base64(zstdCompressSync(data)), encoding] }
  if (encoding !== "base64" && encoding !== "base58") throw invalidParams(`encoding ${encoding} is not served here`)
  return {
    ...fieldsOf(account),
    data: encoding === "base64" ? [base64(data), "base64"] : [encodeBase58(data), "base58"],
  }
}

const base64 = (data: Uint8Array): string => Buffer.from(data).toString("base64")

const fieldsOf = ({ data, executable, lamports, owner }: Account) => ({
  executable,
  lamports: Number(lamports),
  owner,
  rentEpoch: 0,
  space: data.length,
})

const matches = (data: Uint8Array, filter: Filter): boolean => {
  if ("dataSize" in filter) return data.length === filter.dataSize
  const { bytes, encoding, offset } = filter.memcmp
  const wanted = encoding === "base64" ? Buffer.from(bytes, "base64") : decodeBase58(bytes)
  if (wanted === undefined) throw invalidParams("expected base58 bytes in memcmp")
  return Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0
}

/** Whether data passes the filters of a call's options. */
export const passes = (data: Uint8Array, options: unknown): boolean =>
  (config(options).filters ?? []).every((filter) => matches(data, filter))

/** A mint of either token program; throws a JSON-RPC error when there is none at the address. */
const mintAt = (ledger: Ledger, address: string): MintAccount => {
  const mint = mintOf(ledger.account(address))
  if (mint === undefined) throw invalidParams("could not find mint")
  return mint
}

/** The token accounts of both programs, with what they hold. */
const tokenAccounts = (ledger: Ledger) =>
  [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
    .flatMap((program) => ledger.accountsOf(program))
    .flatMap((account) => {
      const held = tokenAccountOf(account)
      return held === undefined ? [] : [{ account, held }]
    })

/** Methods of Solana's JSON-RPC that read accounts. */
export const accountMethods = (ledger: Ledger) => {
  const withContext = inContext(ledger)
  return {
    getBalance: ([address]: ReadonlyArray<unknown>) =>
      withContext(Number(ledger.account(addressParam(address))?.lamports ?? 0n)),
    getAccountInfo: ([address, options]: ReadonlyArray<unknown>) => {
      const account = ledger.account(addressParam(address))
      return withContext(account === undefined ? null : accountJson(ledger, account, options))
    },
    getMultipleAccounts: ([addresses, options]: ReadonlyArray<unknown>) => {
      if (!Array.isArray(addresses) || addresses.length > MULTIPLE_ACCOUNTS_MAX) {
        throw invalidParams(`expected at most ${MULTIPLE_ACCOUNTS_MAX} public keys`)
      }
      const accounts = addresses.map((address) => ledger.account(addressParam(address)))
      return withContext(
        accounts.map((account) => (account === undefined ? null : accountJson(ledger, account, options))),
      )
    },
    getProgramAccounts: ([program, options]: ReadonlyArray<unknown>) => {
      const { withContext: isWrapped } = config(options)
      const found = ledger
        .accountsOf(addressParam(program))
        .filter(({ data }) => passes(data, options))
        .map((account) => ({ pubkey: account.address, account: accountJson(ledger, account, options) }))
      return isWrapped === true ? withContext(found) : found
    },
    /** Of accounts that were seeded or written; those of the faucet do not circulate. */
    getSupply: ([options]: ReadonlyArray<unknown>) => {
      const { excludeNonCirculatingAccountsList: isShort } = (options ?? {}) as {
        readonly excludeNonCirculatingAccountsList?: boolean
      }
      const all = ledger.accounts()
      const [circulating, nonCirculating] = [true, false].map((does) =>
        all
          .filter(({ address }) => (address !== ledger.identity) === does)
          .reduce((sum, { lamports }) => sum + lamports, 0n),
      ) as [bigint, bigint]
      return withContext({
        total: Number(circulating + nonCirculating),
        circulating: Number(circulating),
        nonCirculating: Number(nonCirculating),
        nonCirculatingAccounts: isShort === true || nonCirculating === 0n ? [] : [ledger.identity],
      })
    },
    getLargestAccounts: ([options]: ReadonlyArray<unknown>) => {
      const { filter } = (options ?? {}) as { readonly filter?: string }
      if (filter !== undefined && filter !== null && filter !== "circulating" && filter !== "nonCirculating")
        throw invalidParams("expected a filter of circulating, nonCirculating")
      const largest = ledger
        .accounts()
        .filter(({ address }) => !filter || (address === ledger.identity) === (filter === "nonCirculating"))
        .toSorted((left, right) => (left.lamports < right.lamports ? 1 : -1))
        .slice(0, LARGEST)
      return withContext(largest.map(({ address, lamports }) => ({ address, lamports: Number(lamports) })))
    },
    getTokenSupply: ([mint]: ReadonlyArray<unknown>) => {
      const { decimals, supply } = mintAt(ledger, addressParam(mint))
      return withContext(uiAmount(supply, decimals))
    },
    getTokenAccountBalance: ([address]: ReadonlyArray<unknown>) => {
      const account = ledger.account(addressParam(address))
      const held = account && tokenAccountOf(account)
      if (held === undefined) throw invalidParams("could not find account")
      return withContext(uiAmount(held.amount, mintAt(ledger, held.mint).decimals))
    },
    getTokenLargestAccounts: ([mint]: ReadonlyArray<unknown>) => {
      const { decimals } = mintAt(ledger, addressParam(mint))
      const largest = tokenAccounts(ledger)
        .filter(({ held }) => held.mint === mint)
        .sort((left, right) => (left.held.amount < right.held.amount ? 1 : -1))
        .slice(0, LARGEST)
      return withContext(
        largest.map(({ account, held }) => ({ address: account.address, ...uiAmount(held.amount, decimals) })),
      )
    },
    getTokenAccountsByOwner: ([owner, filter, options]: ReadonlyArray<unknown>) => {
      const wanted = addressParam(owner)
      const { mint, programId } = (filter ?? {}) as { readonly mint?: string; readonly programId?: string }
      const found = tokenAccounts(ledger).filter(
        ({ account, held }) =>
          held.owner === wanted &&
          (mint === undefined || held.mint === mint) &&
          (programId === undefined || programId === account.owner),
      )
      return withContext(
        found.map(({ account }) => ({ pubkey: account.address, account: accountJson(ledger, account, options) })),
      )
    },
  }
}
