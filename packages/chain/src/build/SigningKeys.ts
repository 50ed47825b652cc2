import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { type Address, isOffCurveAddress } from "@solana/kit"
import {
  DAMM_V1_PROGRAM,
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  DYNAMIC_VAULT_PROGRAM,
  METADATA_PROGRAM,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM,
} from "../accounts/Programs.ts"

/**
 * Addresses that look like keys and have no holder: many programs and sysvars lie on the curve by chance. A message whose fee
 * payer is one of the programs it calls cannot even be compiled.
 */
const RESERVED_ADDRESSES: ReadonlySet<string> = new Set<string>([
  ...[DBC_PROGRAM, DAMM_V2_PROGRAM, DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM],
  ...[METADATA_PROGRAM, TOKEN_2022_PROGRAM, NATIVE_MINT],
  // Native programs and loaders.
  "11111111111111111111111111111111",
  "AddressLookupTab1e1111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "ComputeBudget111111111111111111111111111111",
  "Config1111111111111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "NativeLoader1111111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
  "Stake11111111111111111111111111111111111111",
  "StakeConfig11111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
  "ZkE1Gama1Proof11111111111111111111111111111",
  "ZkTokenProof1111111111111111111111111111111",
  "1nc1nerator11111111111111111111111111111111",
  // Programs of the Solana Program Library, and the wrapped SOL of Token-2022.
  "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9",
  "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  // Sysvars.
  "Sysvar1111111111111111111111111111111111111",
  "SysvarC1ock11111111111111111111111111111111",
  "SysvarEpochRewards1111111111111111111111111",
  "SysvarEpochSchedu1e111111111111111111111111",
  "SysvarFees111111111111111111111111111111111",
  "Sysvar1nstructions1111111111111111111111111",
  "SysvarLastRestartS1ot1111111111111111111111",
  "SysvarRecentB1ockHashes11111111111111111111",
  "SysvarRent111111111111111111111111111111111",
  "SysvarRewards111111111111111111111111111111",
  "SysvarS1otHashes111111111111111111111111111",
  "SysvarS1otHistory11111111111111111111111111",
  "SysvarStakeHistory1111111111111111111111111",
])

/**
 * Whether an address is of a program or sysvar, or a burn address: no key can sign for it.
 * What only receives may be off the curve, as the vaults of multisigs are.
 */
export const isReservedAddress = (address: string): boolean => RESERVED_ADDRESSES.has(address)

/** The check on the curve takes a tenth of the time of a swap, and the same wallets come again. */
const KNOWN_MAX = 10_000
const offCurve = new Map<string, boolean>()

const isOffCurve = (address: string): boolean => {
  const known = offCurve.get(address)
  if (known !== undefined) return known
  if (offCurve.size >= KNOWN_MAX) offCurve.clear()
  const isOff = isOffCurveAddress(address as Address)
  offCurve.set(address, isOff)
  return isOff
}

/**
 * Why an address cannot sign a transaction: it is no key, or it stands in the transaction as something else already. `others` are
 * the accounts that it must not be, by their names.
 */
export const signingIssues = (
  path: string,
  address: string,
  others: Readonly<Record<string, string | undefined>> = {},
): ReadonlyArray<InvalidIssue> => {
  const same = Object.entries(others).find(([, other]) => other === address)
  if (isReservedAddress(address))
    return [
      { path, message: "expected a key that can sign: this is the address of a program, a sysvar or a native mint" },
    ]
  if (same !== undefined) return [{ path, message: `expected an address of its own: this one is ${same[0]}` }]
  return isOffCurve(address)
    ? [{ path, message: "expected a key that can sign: an ed25519 key lies on the curve, and this address does not" }]
    : []
}
