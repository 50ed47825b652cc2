import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { type Address, isOffCurveAddress } from "@solana/kit"
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DAMM_V1_PROGRAM,
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  DYNAMIC_VAULT_PROGRAM,
  LOCKER_PROGRAM,
  MEMO_PROGRAM,
  METADATA_PROGRAM,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../accounts/Programs.ts"

/** Sysvars, native programs and burn addresses are names that end so; no key does by chance. */
const NAME = /1{16}$/

/**
 * Programs and mints that look like keys and have no holder: many lie on the curve by chance. A message whose fee payer is one of the
 * programs it calls cannot even be compiled.
 */
const RESERVED_ADDRESSES: ReadonlySet<string> = new Set<string>([
  ...[DBC_PROGRAM, DAMM_V2_PROGRAM, DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM, LOCKER_PROGRAM],
  ...[METADATA_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, NATIVE_MINT],
  "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
  MEMO_PROGRAM,
  // The wrapped SOL of Token-2022.
  "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9",
])

/**
 * Whether an address is of a program or sysvar, or a burn address: no key can sign for it.
 * What only receives may be off the curve, as the vaults of multisigs are.
 */
export const isReservedAddress = (address: string): boolean => NAME.test(address) || RESERVED_ADDRESSES.has(address)

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
