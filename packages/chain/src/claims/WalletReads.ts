import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { PoolFee } from "@launch-registry/domain/pools/PoolFees"
import { Effect } from "effect"
import type { RawAccount } from "../accounts/AccountReads.ts"
import { associatedTokenAddress, vaultAddress } from "../accounts/DerivedAddresses.ts"
import { DBC_PROGRAM } from "../accounts/Programs.ts"
import { tokenAccountOf } from "../accounts/TokenLayouts.ts"
import { decodeConfig } from "../dbc/ConfigAccount.ts"
import { decodePool } from "../dbc/PoolAccount.ts"
import type { Pools } from "../pools/Pools.ts"
import { tokenProgram } from "../venues/TokenPair.ts"
import { claimableFees } from "./ClaimableFees.ts"
import { poolFee } from "./PoolFeeReads.ts"

/** A launched token, as it is indexed. */
interface LaunchedToken {
  readonly mintAddress: string
  readonly pool: string
  readonly config: string
  /** 0 SPL Token, 1 Token-2022. */
  readonly poolType: number
  /** Whether the wallet may have fees to claim. */
  readonly earns: boolean
}

/** What a wallet has of a token. */
export interface WalletShare {
  /** In its associated token account, in smallest units. */
  readonly amount: bigint
  /** What it can claim now, but fees of positions; null if the accounts are not those of a pool of the token. */
  readonly claimable: ReadonlyArray<PoolFee> | null
}

const addressesOf = async (wallet: string, { config, earns, mintAddress, pool, poolType }: LaunchedToken) => {
  const [held, vault] = await Promise.all([
    associatedTokenAddress(wallet, mintAddress, tokenProgram(poolType)),
    vaultAddress(mintAddress, pool),
  ])
  return { held, ...(earns && { pool, config, vault }) }
}

/** What a wallet has of up to 25 tokens, in one request: a hundred accounts at one slot. */
export const readWallet = Effect.fn("readWallet")(function* (
  pools: Pools["Service"],
  wallet: string,
  tokens: ReadonlyArray<LaunchedToken>,
): Effect.fn.Return<{ readonly slot: bigint; readonly shares: ReadonlyArray<WalletShare> }, Unavailable> {
  const asked = yield* Effect.promise(() => Promise.all(tokens.map((token) => addressesOf(wallet, token))))
  // A configuration may be of many pools.
  const addresses = [...new Set(asked.flatMap((each) => Object.values(each)))]
  const { accounts, slot } = yield* pools.readAccounts(addresses)
  const read = new Map(addresses.map((address, index) => [address, accounts[index]]))
  const amountAt = (address: string, mint: string, owner?: string) => {
    const account = read.get(address)
    const token = account && tokenAccountOf(account)
    return token?.mint === mint && (owner === undefined || token.owner === owner) ? token.amount : 0n
  }
  const shares = tokens.map(({ earns, mintAddress }, index): WalletShare => {
    const { config, held, pool, vault } = asked[index]!
    const amount = amountAt(held, mintAddress, wallet)
    if (!earns) return { amount, claimable: [] }
    const account = decoded(read.get(pool!), decodePool)
    const terms = decoded(read.get(config!), decodeConfig)
    const isOfToken = account?.baseMint === mintAddress && account.config === config
    if (!isOfToken || terms === undefined) return { amount, claimable: null }
    const fees = claimableFees({ pool: account, config: terms }, [], amountAt(vault!, mintAddress))
    return {
      amount,
      claimable: fees.filter(({ owner, state }) => owner === wallet && state === "claimable").map(poolFee),
    }
  })
  return { slot, shares }
})

const decoded = <A>(account: RawAccount | undefined, decode: (bytes: Uint8Array) => A | undefined): A | undefined =>
  account?.owner === DBC_PROGRAM ? decode(account.data) : undefined
