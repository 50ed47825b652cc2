import { Effect } from "effect"
import type { FileDag } from "../../src/ipfs/Dag.ts"
import { BackendFailed, type IpfsBackend, type RemoteBackendName } from "../../src/ipfs/IpfsBackend.ts"

/** A backend that takes everything, unless it is told to fail. */
export interface ScriptedBackend extends IpfsBackend {
  /** What it took, by root CID. */
  readonly taken: Map<string, FileDag>
  /** CIDs it was asked to take, in order, also where it failed. */
  readonly asked: Array<string>
  /** Fails until it is told `undefined`. */
  fault: { readonly reason: string; readonly isPermanent?: boolean; readonly retryAfterMillis?: number } | undefined
  /** Fails this often, and takes everything then. */
  faultsLeft: number
}

export const scriptedBackend = (name: RemoteBackendName): ScriptedBackend => {
  const answer = Effect.suspend(() => {
    const fault = backend.faultsLeft-- > 0 ? { reason: "a hiccup" } : backend.fault
    return fault === undefined
      ? Effect.void
      : Effect.fail(new BackendFailed({ backend: name, isPermanent: false, ...fault }))
  })
  const backend: ScriptedBackend = {
    name,
    taken: new Map(),
    asked: [],
    fault: undefined,
    faultsLeft: 0,
    put: (dag) =>
      Effect.sync(() => backend.asked.push(dag.root.toString())).pipe(
        Effect.andThen(answer),
        Effect.andThen(Effect.sync(() => void backend.taken.set(dag.root.toString(), dag))),
      ),
    probe: answer,
  }
  return backend
}
