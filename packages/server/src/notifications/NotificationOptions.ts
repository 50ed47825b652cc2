import type { Redacted } from "effect"
import type { ResolveHost } from "../outgoing/HostAddresses.ts"

/** How events are sent. */
export interface NotificationOptions {
  /** Signing secrets are derived from the first; messages are signed with those of all of them. */
  readonly masterSecrets: ReadonlyArray<Redacted.Redacted>
  /** Whether http, any port and addresses that are not public are allowed. */
  readonly allowsPrivate: boolean
  /** Enabled endpoints of API keys and admins together, 100 by default. Those of wallets share what half as many could hold. */
  readonly endpointsMax?: number
  /** Enabled endpoints of one owner, 10 by default. */
  readonly endpointsPerOwnerMax?: number
  /** How long delivered and failed messages are kept, 7 days by default. */
  readonly keepDays?: number
  /** Deadline of an attempt, 15 s by default. */
  readonly timeoutMillis?: number
  /** Pending messages of an endpoint, 10,000 by default. */
  readonly backlogMax?: number
  /** Messages of an endpoint that are kept, 100,000 by default; pending ones are always. */
  readonly keptMax?: number
  /** Name servers by default. */
  readonly resolveHost?: ResolveHost
}

export const ENDPOINTS_MAX = 100
export const ENDPOINTS_PER_OWNER_MAX = 10
const BACKLOG_MAX = 10_000
const KEPT_MAX = 100_000

const backlogMaxOf = ({ backlogMax = BACKLOG_MAX }: NotificationOptions): number => backlogMax

export const keptMaxOf = ({ keptMax = KEPT_MAX }: NotificationOptions): number => keptMax

/** The part of a bound per endpoint that each of so many endpoints of wallets has. */
export const shareOfWallets = (
  { endpointsMax = ENDPOINTS_MAX }: NotificationOptions,
  bound: number,
  endpoints: number,
): number => Math.max(1, Math.min(bound, Math.floor((bound * Math.ceil(endpointsMax / 2)) / Math.max(1, endpoints))))

/** How many messages of an endpoint may be pending; `walletEndpoints`: how many of wallets are enabled, if it is one of them. */
export const backlogOf = (options: NotificationOptions, walletEndpoints: bigint | null): number =>
  walletEndpoints === null
    ? backlogMaxOf(options)
    : shareOfWallets(options, backlogMaxOf(options), Number(walletEndpoints))
