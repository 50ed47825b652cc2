import type { Failure } from "../Failure.ts"
import { type Health, type IndexerReport, PARTS, type PartName, type RpcEndpoint, type RpcReport } from "./Reports.ts"

/** Something that is not well, and what to do about it. */
export interface Finding {
  readonly isBad: boolean
  readonly what: string
  readonly next: string
  /** Heading of docs/runbook.md, where there is one for it. */
  readonly runbook?: string
}

/** The latest answer of each route, or why there is none. */
export interface Readings {
  readonly health: Health | Failure
  /** Warnings of a replica that is ready. */
  readonly readiness: { readonly warnings: ReadonlyArray<string> } | Failure
  readonly indexer: IndexerReport | Failure
  readonly rpc: RpcReport | Failure
}

/** A failure is an Error; a report is not. */
export const isRead = <A extends object>(reading: A | Failure): reading is A => !(reading instanceof Error)

/** As the alert of its runbook has it. */
const UNPROVEN_SECONDS_MAX = 120

const OF_PART: Readonly<Record<PartName, Omit<Finding, "isBad" | "what">>> = {
  database: {
    next: "Look at PostgreSQL and the network between: it heals by itself once PostgreSQL answers, and nothing is lost.",
    runbook: "DatabaseAway",
  },
  rpc: { next: "See the endpoints below: those that work are used.", runbook: "RpcEndpointDown" },
  indexer: {
    next: "See leader, backlog and gaps below. Deliveries are kept, so nothing is lost while it is behind.",
    runbook: "IndexerBehind",
  },
  ipfs: {
    next: "Look at key, plan and bucket of the backend that is named. Uploads that wait are delivered by themselves.",
    runbook: "IpfsOutboxOld",
  },
  bridge: {
    next: "Look at the swap service: transfers go on by themselves once it answers.",
    runbook: "BridgeTransfersStuck",
  },
}

/** The database answers, and its read replica is not in use. */
const OF_REPLICA: Omit<Finding, "isBad" | "what"> = {
  next: "Reads go to the primary. Look at the replica: it is used again once it is well.",
  runbook: "DatabaseReplicaAway",
}

/** The database answers, and takes no writes. */
const OF_COMMITS: Omit<Finding, "isBad" | "what"> = {
  next: "Look at the synchronous standbys of PostgreSQL. Reads go on; writes are taken again by themselves once one confirms them.",
  runbook: "DatabaseCommitsWaiting",
}

const ofDegradedDatabase = (detail: string) => (detail.includes("writes are refused") ? OF_COMMITS : OF_REPLICA)

const OF_STATE: Readonly<Record<string, string>> = {
  open: "It fails. Ask its provider; it comes back by itself.",
  behind: "It is too many slots behind. Ask its provider; it comes back by itself.",
  paused: "It limits our rate. Raise its plan, or wait.",
  forbidden: "It rejects the key. Check key and plan, then restart with the new key: this does not heal by itself.",
  wrong_cluster: "It is of another network. Correct its URL and restart: this does not heal by itself.",
  unverified: "It has not been checked yet. If this stays, look at its last fault.",
}

const isInUse = ({ cordon, state }: RpcEndpoint): boolean =>
  cordon === undefined && (state === "closed" || state === "resting")

const ofRpc = ({ endpoints }: RpcReport): ReadonlyArray<Finding> => {
  const used = endpoints.filter(isInUse).length
  const found: Array<Finding> = []
  if (used === 0)
    found.push({
      isBad: true,
      what: "No RPC endpoint is in use: what needs the chain answers 503",
      next: endpoints.some(({ cordon }) => cordon !== undefined)
        ? "Uncordon an endpoint that works, or set another RPC_BACKUP_URL and restart."
        : "Look at the providers and the way out of your network, or set another RPC_BACKUP_URL and restart.",
      runbook: "RpcAllDown",
    })
  for (const { cordon, lastFault, name, state } of endpoints) {
    if (cordon !== undefined)
      found.push({
        isBad: false,
        what: `RPC endpoint ${name} is cordoned: ${cordon.reason}`,
        next: "Uncordon it once the reason is gone.",
        runbook: "RpcEndpointCordoned",
      })
    const next = OF_STATE[state]
    if (next === undefined) continue
    const fault = lastFault === null ? "" : ` (last fault: ${lastFault.fault} of ${lastFault.method})`
    found.push({
      isBad: state !== "unverified",
      what: `RPC endpoint ${name} is ${state}${fault}`,
      next,
      runbook: "RpcEndpointDown",
    })
  }
  return found
}

const WEBHOOK: Readonly<Record<string, string>> = {
  refused: "Check HELIUS_API_KEY and the plan: retrying does not help.",
  unreachable: "Helius gives no usable answer. Transactions are fetched from the chain meanwhile.",
}

const ofIndexer = (report: IndexerReport, now: number): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  const { deadLetters, gaps, history, leader, poison, pools, unprovenSeconds, webhook } = report
  const say = (isBad: boolean, what: string, next: string, runbook: string): void =>
    void found.push({ isBad, what, next, runbook })
  if (leader === null || Date.parse(leader.expiresAt) < now)
    say(
      true,
      "No process indexes",
      "Start a process with ROLE=all or ROLE=indexer, and read its log. Nothing is lost: the inbox is worked off.",
      "IndexerWithoutLeader",
    )
  if (unprovenSeconds !== null && unprovenSeconds > UNPROVEN_SECONDS_MAX)
    say(
      true,
      `${Math.floor(unprovenSeconds)} s of finalized slots are not proven complete, in ${gaps.length} gaps`,
      "Restore access to the chain. A gap that stays although rounds succeed is proven by backfill, against an endpoint that has its history.",
      "ProvenSlotStalls",
    )
  const state = webhook?.state
  if (typeof state === "string" && WEBHOOK[state] !== undefined)
    say(true, `The webhook is ${state}: ${String(webhook?.detail ?? "")}`, WEBHOOK[state], "ProvenSlotStalls")
  else if (webhook?.active === false)
    say(
      true,
      "Helius does not deliver to the webhook",
      "It is switched on by itself at the next check; look at its log of failures.",
      "ProvenSlotStalls",
    )
  if (deadLetters > 0)
    say(
      false,
      `${deadLetters} transactions could not be decoded`,
      "Did the DBC program change? A version that knows its new layout decodes them when it rebuilds.",
      "DeadLettersGrow",
    )
  if (poison > 0)
    say(
      false,
      `${poison} deliveries could not be read, or were incomplete`,
      "With a key, their reasons and first bytes are below. Foreign ones: rotate HELIUS_WEBHOOK_SECRET.",
      "DeadLettersGrow",
    )
  if (typeof pools?.problem === "string")
    say(
      false,
      `Migrated pools are not proven: ${pools.problem}`,
      "Add an endpoint with the whole history, or raise INDEXER_POOL_REQUESTS.",
      "MigratedPoolsUnproven",
    )
  if (typeof history?.problem === "string")
    say(
      false,
      `Trades are not sent to ClickHouse, or do not leave PostgreSQL: ${history.problem}`,
      "Look at HISTORY_URL and at ClickHouse. Nothing is lost: trades stay in PostgreSQL meanwhile.",
      "HistoryFailing",
    )
  return found
}

/** All that is not well, the worst first. */
export const findings = ({ health, indexer, readiness, rpc }: Readings, now: number): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  if (!isRead(readiness))
    found.push({
      isBad: true,
      what: readiness.message,
      next:
        readiness.status === 0
          ? "Is the process running? Look at its log, and at what is in front of it."
          : "The replica takes no traffic until this is over; others serve.",
      runbook: readiness.status === 0 ? "RegistryDown" : "DatabaseAway",
    })
  const ofParts = [...(isRead(rpc) ? ofRpc(rpc) : []), ...(isRead(indexer) ? ofIndexer(indexer, now) : [])]
  if (isRead(health))
    for (const name of PARTS) {
      const { detail, status } = health[name]
      // What its report says more closely is not said twice.
      const isSaid =
        (name === "rpc" && isRead(rpc) && ofRpc(rpc).length > 0) ||
        (name === "indexer" && isRead(indexer) && ofIndexer(indexer, now).length > 0)
      if ((status === "down" || status === "degraded") && !isSaid)
        found.push({
          ...{ isBad: status === "down", what: `${name}: ${detail}` },
          ...(name === "database" && status === "degraded" ? ofDegradedDatabase(detail) : OF_PART[name]),
        })
    }
  found.push(...ofParts)
  if (isRead(readiness))
    for (const warning of readiness.warnings)
      if (
        !isRead(health) ||
        (health.ipfs.status !== "down" && health.ipfs.status !== "degraded" && warning.startsWith("IPFS"))
      )
        found.push({
          isBad: false,
          what: warning,
          next: "It does not stop this replica from serving.",
          runbook: "RegistryDown",
        })
  return found.sort((a, b) => Number(b.isBad) - Number(a.isBad))
}
