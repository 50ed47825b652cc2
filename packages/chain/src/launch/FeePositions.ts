import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"
import type { CurveSnapshot } from "./CurveSnapshot.ts"
import { associatedTokenAddress, positionAddress, positionNftAddress } from "./DerivedAddresses.ts"
import { decodePosition, type PositionAccount } from "./PositionAccount.ts"
import { DAMM_V2_PROGRAM, TOKEN_2022_PROGRAM } from "./Programs.ts"
import { TOKEN_ACCOUNT_BYTES } from "./TokenLayouts.ts"

/** A migration creates one for the creator and one for the partner at most. */
export const POSITIONS_MAX = 2

/** A position in the DAMM v2 pool that a curve migrated to. */
export interface FeePosition {
  readonly address: string
  readonly account: PositionAccount
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

/** The positions that exist in the pool of the curve; `read` has the accounts by their addresses. */
export const feePositions = (
  { migrated }: Pick<CurveSnapshot, "migrated">,
  addresses: ReadonlyArray<PositionAddresses>,
  read: (address: string) => RawAccount | undefined,
): ReadonlyArray<FeePosition> =>
  addresses.flatMap(({ nftAccounts, nftMint, position }) => {
    const raw = read(position)
    const account = raw?.owner === DAMM_V2_PROGRAM ? decodePosition(raw.data) : undefined
    if (account === undefined || account.pool !== migrated?.address || account.nftMint !== nftMint) return []
    const nftAccount = nftAccounts.find((address) => holderOf(read(address), nftMint) !== undefined)
    const owner = nftAccount && holderOf(read(nftAccount), nftMint)
    return { address: position, account, held: owner && nftAccount ? { owner, nftAccount } : undefined }
  })

/** Mint @0, owner @32, amount @64 of a token account. */
const holderOf = (account: RawAccount | undefined, nftMint: string): string | undefined => {
  if (account?.owner !== TOKEN_2022_PROGRAM || account.data.length < TOKEN_ACCOUNT_BYTES) return undefined
  const reader = new AccountReader(account.data)
  return reader.address(0) === nftMint && reader.u64(64) === 1n ? reader.address(32) : undefined
}
