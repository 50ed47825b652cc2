import type { Health, PartHealth } from "@launch-registry/client"
import { useAnswer } from "@launch-registry/client/react"
import { Unknown } from "../figures/Figure.tsx"
import { formatDuration, formatWhole } from "../figures/Format.ts"
import { IS_SERVED_BY_REGISTRY } from "../registry/Connection.ts"
import { Failed } from "../registry/Failed.tsx"
import styles from "./Status.module.css"

const EVERY_MILLIS = 10_000
const PARTS = [
  ["database", "Database"],
  ["rpc", "Solana RPC"],
  ["indexer", "Indexer"],
  ["ipfs", "Uploads"],
  ["bridge", "Bridge"],
] as const satisfies ReadonlyArray<readonly [keyof Health, string]>

const Part = ({ name, part: { detail, status } }: { readonly name: string; readonly part: PartHealth }) => (
  <li className={styles.part}>
    <b>{name}</b>
    <span className={`badge ${styles.state}`} data-state={status}>
      {status}
    </span>
    <p className="muted">{detail}</p>
  </li>
)

/** The endpoints in order of preference, but where operators alone may read them: they do so with a command. */
const Endpoints = () => {
  const { data } = useAnswer(({ system }) => system.rpc, {}, { refetchInterval: EVERY_MILLIS })
  if (data === undefined) return null
  return (
    <>
      <h2>RPC endpoints</h2>
      <ul className="surface">
        {data.data.endpoints.map(({ calls, cordon, errors, latencyMillis, name, slot, slotLag, state }) => {
          const status = cordon !== undefined ? "off" : ["closed", "resting"].includes(state) ? "up" : "down"
          const failed = Object.values(errors).reduce((sum, one) => sum + one, 0)
          const detail = [
            ...(cordon === undefined ? [] : [`cordoned: ${cordon.reason}`]),
            ...(slot === null ? [] : [`slot ${formatWhole(slot)}, ${formatWhole(slotLag ?? 0)} behind`]),
            ...(latencyMillis.p50 === null ? [] : [`${latencyMillis.p50} ms at the median`]),
            `${formatWhole(calls)} calls, ${formatWhole(failed)} failed`,
          ]
          return <Part key={name} name={name} part={{ status, detail: detail.join(" · ") }} />
        })}
      </ul>
    </>
  )
}

/** How the registry is, as the replica that answers sees it. */
const Status = () => {
  const { data, error, refetch } = useAnswer(({ system }) => system.health, {}, { refetchInterval: EVERY_MILLIS })
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  const health = data?.data
  return (
    <div className={`stack ${styles.page}`}>
      <h1>{health === undefined ? "Status" : health.status === "ok" ? "All is well" : "Some parts are not well"}</h1>
      <p className="muted" role="status">
        {health === undefined ? (
          <Unknown />
        ) : (
          `Version ${health.version} on ${health.network}, up for ${formatDuration(health.uptimeSeconds)}`
        )}
      </p>
      <ul className="surface">
        {health !== undefined && PARTS.map(([part, name]) => <Part key={part} name={name} part={health[part]} />)}
      </ul>
      {IS_SERVED_BY_REGISTRY && <Endpoints />}
    </div>
  )
}

export default Status
