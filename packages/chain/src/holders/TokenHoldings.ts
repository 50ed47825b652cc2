import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Address, Base58EncodedBytes } from "@solana/kit"
import { Effect } from "effect"
import type { Rpc } from "../rpc/Rpc.ts"
import { AccountReader } from "../accounts/AccountReader.ts"
import { chainUnavailable, readAccounts } from "../accounts/AccountReads.ts"
import { TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { ACCOUNT_TYPE_OFFSET, TOKEN_ACCOUNT_BYTES, tokenAccountOf } from "../accounts/TokenLayouts.ts"

/** Offsets of `owner` and `amount` in a token account: 32 bytes and 8. */
const [OWNER_OFFSET, AMOUNT_OFFSET] = [32, 64]
const OWNER_AND_AMOUNT_BYTES = 40

/** Account type 2 of Token-2022, a token account, in base58. */
const TOKEN_ACCOUNT_TYPE = "3"

/** Accounts that `getTokenLargestAccounts` gives at most. */
const LARGEST_MAX = 20

/** What the token accounts of a mint hold. */
export interface TokenHoldings {
  /** Smallest units by owner. */
  readonly amounts: Map<string, bigint>
  /** Whether these are all of its accounts. */
  readonly isWhole: boolean
  /** Answers that they came in. */
  readonly pages: number
}

/** Adds an account to those of its owner. */
export const addHolding = (amounts: Map<string, bigint>, owner: string, amount: bigint): void => {
  amounts.set(owner, (amounts.get(owner) ?? 0n) + amount)
}

/**
 * Every token account of a mint, by a scan over the accounts of its token program; none where the answer is larger than one of its
 * method may be, or no node gives it.
 */
export const scanHoldings = (rpc: Rpc["Service"], mint: string, program: string): Effect.Effect<TokenHoldings> => {
  const matching = (offset: bigint, bytes: string) => ({
    memcmp: { offset, bytes: bytes as Base58EncodedBytes, encoding: "base58" as const },
  })
  // What nodes have an index for: accounts of one size, or those that say that they are token accounts.
  const kind =
    program === TOKEN_PROGRAM
      ? { dataSize: BigInt(TOKEN_ACCOUNT_BYTES) }
      : matching(BigInt(ACCOUNT_TYPE_OFFSET), TOKEN_ACCOUNT_TYPE)
  const filters = [kind, matching(0n, mint)]
  const dataSlice = { offset: OWNER_OFFSET, length: OWNER_AND_AMOUNT_BYTES }
  const scan = rpc.call((kit) =>
    kit.getProgramAccounts(program as Address, { encoding: "base64", filters, dataSlice, commitment: "confirmed" }),
  )
  return scan.pipe(
    // To read the answer takes half of the time that nothing else should run.
    Effect.tap(Effect.yieldNow),
    Effect.map((accounts): TokenHoldings => {
      const amounts = new Map<string, bigint>()
      for (const { account } of accounts) {
        const reader = new AccountReader(Uint8Array.from(Buffer.from(account.data[0], "base64")))
        addHolding(amounts, reader.address(0), reader.u64(AMOUNT_OFFSET - OWNER_OFFSET))
      }
      return { amounts, isWhole: true, pages: 1 }
    }),
    Effect.catch(({ message }) =>
      Effect.as(Effect.logDebug(message), { amounts: new Map<string, bigint>(), isWhole: false, pages: 1 }),
    ),
  )
}

/** The largest token accounts of a mint, which are all of them where there are fewer than {@link LARGEST_MAX}. */
export const largestHoldings = Effect.fnUntraced(function* (
  rpc: Rpc["Service"],
  mint: string,
): Effect.fn.Return<TokenHoldings, Unavailable> {
  const { value: largest } = yield* rpc
    .call((kit) => kit.getTokenLargestAccounts(mint as Address, { commitment: "confirmed" }))
    .pipe(Effect.catch(chainUnavailable))
  const amounts = new Map<string, bigint>()
  let isWhole = largest.length < LARGEST_MAX
  const addresses = largest.map(({ address }) => address)
  // It does not say whose they are.
  const { accounts } = addresses.length === 0 ? { accounts: [] } : yield* readAccounts(rpc, addresses)
  for (const account of accounts) {
    const held = account && tokenAccountOf(account)
    if (held?.mint !== mint) continue
    addHolding(amounts, held.owner, held.amount)
    // The others hold nothing either.
    if (held.amount === 0n) isWhole = true
  }
  return { amounts, isWhole, pages: 1 }
})
