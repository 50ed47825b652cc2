import type { RawAccount } from "../accounts/AccountReads.ts"
import type { CurveSnapshot } from "../dbc/CurveSnapshot.ts"
import { associatedTokenAddress, positionAddress, positionNftAddress } from "../accounts/DerivedAddresses.ts"
import type { Position } from "../venues/Position.ts"
import { TOKEN_2022_PROGRAM } from "../accounts/Programs.ts"
import { tokenAccountOf } from "../accounts/TokenLayouts.ts"

/** A migration creates one for the creator and one for the partner at most. */
export const POSITIONS_MAX = 2

/** A position in the pool that a curve migrated to, as somebody holds it. */
export interface FeePosition {
  readonly position: Position
  /** Who holds its NFT, and in which token account; `undefined` where it is in none of those that were read. */
  readonly held: { readonly owner: string; readonly nftAccount: string } | undefined
}

/** Accounts of one position. */
interface PositionAddresses {
  readonly nftMint: string
  readonly position: string
  /** Where the NFT may be: the account that it was minted to, and that of a wallet which asks. */
  readonly nftAccounts: ReadonlyArray<string>
}

/** What to read for these NFT mints; `wallet` may have got an NFT by a transfer. */
export const positionAddresses = (
  nftMints: ReadonlyArray<string>,
  wallet?: string,
): Promise<ReadonlyArray<PositionAddresses>> =>
  Promise.all(
    nftMints.slice(0, POSITIONS_MAX).map(async (nftMint) => ({
      nftMint,
      position: await positionAddress(nftMint),
      nftAccounts: await Promise.all([
        positionNftAddress(nftMint),
        ...(wallet === undefined ? [] : [associatedTokenAddress(wallet, nftMint, TOKEN_2022_PROGRAM)]),
      ]),
    })),
  )

/** The positions that exist where the token trades; `read` has the accounts by their addresses. */
export const feePositions = (
  { venue }: Pick<CurveSnapshot, "venue">,
  addresses: ReadonlyArray<PositionAddresses>,
  read: (address: string) => RawAccount | undefined,
): ReadonlyArray<FeePosition> =>
  addresses.flatMap(({ nftAccounts, nftMint, position: address }) => {
    const position = venue.position?.(address, read(address))
    if (position?.nftMint !== nftMint) return []
    const holders = nftAccounts.flatMap((nftAccount) => {
      const account = read(nftAccount)
      const token = account && tokenAccountOf(account)
      return token?.mint === nftMint && token.amount === 1n ? { owner: token.owner, nftAccount } : []
    })
    return { position, held: holders[0] }
  })
