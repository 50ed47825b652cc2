import type { Health, PartHealth } from "@launch-registry/client"
import { answered } from "@launch-registry/client"
import { useAnswer } from "@launch-registry/client/react"
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Button } from "../design/Button.tsx"
import { Unknown } from "../figures/Figure.tsx"
import { formatDuration, formatWhole } from "../figures/Format.ts"
import { IS_SERVED_BY_REGISTRY, registry } from "../registry/Connection.ts"
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

/** The endpoints in order of preference. Where operators alone may read them, with their key, which is kept in memory alone. */
const Endpoints = () => {
  const [key, setKey] = useState("")
  const { data, error } = useQuery({
    queryKey: ["rpc", key],
    queryFn: async ({ signal }) => {
      const headers = key === "" ? {} : { authorization: `Bearer ${key}` }
      return answered(await registry.system.rpc({}, { signal, headers }))
    },
    refetchInterval: EVERY_MILLIS,
    retry: false,
  })
  const use = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setKey(String(new FormData(event.currentTarget).get("key")).trim())
  }
  if (data === undefined && error !== null)
    return (
      <form className="row" onSubmit={use}>
        <label htmlFor="key">Key of an operator</label>
        <input id="key" className={`surface ${styles.key}`} name="key" type="password" autoComplete="off" required />
        <Button type="submit">Show</Button>
        <p className="muted" role="status">
          {error.message}
        </p>
      </form>
    )
  return (
    <ul className="surface">
      {data?.data.endpoints.map(({ calls, cordon, errors, latencyMillis, name, slot, slotLag, state }) => (
        <Part
          key={name}
          name={name}
          part={{
            status: cordon !== undefined ? "off" : state === "closed" || state === "resting" ? "up" : "down",
            detail: [
              cordon === undefined ? undefined : `cordoned: ${cordon.reason}`,
              slot === null ? undefined : `slot ${formatWhole(slot)}, ${formatWhole(slotLag ?? 0)} behind`,
              latencyMillis.p50 === null ? undefined : `${latencyMillis.p50} ms at the median`,
              `${formatWhole(calls)} calls, ${formatWhole(Object.values(errors).reduce((sum, one) => sum + one, 0))} failed`,
            ]
              .filter((one) => one !== undefined)
              .join(" · "),
          }}
        />
      ))}
    </ul>
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
      {IS_SERVED_BY_REGISTRY && (
        <>
          <h2>RPC endpoints</h2>
          <Endpoints />
        </>
      )}
    </div>
  )
}

export default Status
