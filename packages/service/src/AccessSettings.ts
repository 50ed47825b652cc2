import {
  type AccessOptions,
  AUDIT_DAYS,
  WRITE_AUTH_MODES,
  type WriteAuth,
} from "@launch-registry/server/access/AccessOptions"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { Redacted } from "effect"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

/** Settings of access, as they are read. */
export interface AccessSettings extends AccessOptions {
  /** Whether anyone may write because no setting says who. */
  readonly isOpenByDefault: boolean
  /** Origins whose pages may read answers; undefined: all. */
  readonly corsOrigins: ReadonlyArray<string> | undefined
}

export const ACCESS_NAMES: ReadonlyArray<string> = [
  ...["WRITE_AUTH", "ADMIN_KEY", "ADMIN_WALLETS", "AUDIT_RETENTION_DAYS", "CORS_ORIGINS"],
]

const OFF = "off"
const ADMIN_KEY_LENGTH_MIN = 32
const ADMIN_KEYS_MAX = 2
const AUDIT_DAYS_MAX = 3_650

const isMode = (text: string): text is WriteAuth => (WRITE_AUTH_MODES as ReadonlyArray<string>).includes(text)

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text

/** The settings of access among `values`; faults are reported as name and expectation. */
export const readAccessSettings = (
  values: Readonly<Record<string, string | undefined>>,
  service: { readonly publicUrl: string; readonly isPublicUrlKnown: boolean; readonly network: string },
  fault: Fault,
): AccessSettings => {
  const listOf = (name: string) => values[name]?.split(",").map((text) => text.trim()) ?? []
  const modes = listOf("WRITE_AUTH")
  const writeAuth = modes.filter(isMode)
  const isOff = modes.length === 0 || (modes.length === 1 && modes[0] === OFF)
  if (!isOff && writeAuth.length < modes.length) fault("WRITE_AUTH", `${OFF}, or one or both of api-key,wallet`)

  const adminKeys = listOf("ADMIN_KEY")
  // What is sent in a header as one word.
  if (
    adminKeys.length > ADMIN_KEYS_MAX ||
    !adminKeys.every((key) => /^[\x21-\x7e]+$/.test(key) && key.length >= ADMIN_KEY_LENGTH_MIN)
  )
    fault(
      "ADMIN_KEY",
      `at least ${ADMIN_KEY_LENGTH_MIN} visible ASCII characters; two, comma-separated, during a rotation`,
    )

  const adminWallets = listOf("ADMIN_WALLETS")
  if (!adminWallets.every(isAddress)) fault("ADMIN_WALLETS", "comma-separated addresses of Solana wallets")
  if (adminWallets.length > 0 && !writeAuth.includes("wallet"))
    fault("ADMIN_WALLETS", "no value without WRITE_AUTH=wallet: wallets could not be told from each other")

  const url = URL.parse(service.publicUrl)
  if (writeAuth.includes("wallet") && (!service.isPublicUrlKnown || url === null))
    fault("PUBLIC_URL", "a value with WRITE_AUTH=wallet: wallets sign for its host")

  const auditDays = wholeSettings(values, fault)("AUDIT_RETENTION_DAYS", "days", 1, AUDIT_DAYS_MAX) ?? AUDIT_DAYS

  const origins = listOf("CORS_ORIGINS")
  const isForAll = origins.length === 1 && origins[0] === "*"
  const isOpen = origins.length === 0 || isForAll
  if (!isOpen && !origins.every(isOrigin))
    fault("CORS_ORIGINS", "*, or comma-separated origins without a path, such as https://app.example.com")

  return {
    writeAuth,
    isOpenByDefault: modes.length === 0,
    adminKeys: adminKeys.map((key) => Redacted.make(key)),
    adminWallets,
    site: { domain: url?.host ?? "", uri: service.publicUrl, chainId: service.network },
    // The pages of the service itself, whatever a proxy makes of the Host header.
    writingOrigins: isForAll
      ? "all"
      : [...origins, ...(url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : [])],
    auditDays,
    corsOrigins: isOpen ? undefined : origins,
  }
}
