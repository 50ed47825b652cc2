import { Effect, Latch } from "effect"
import type { FileDag } from "../src/Dag.ts"
import { BackendFailed, type IpfsBackend, type RemoteBackendName } from "../src/IpfsBackend.ts"

/** Why a scripted backend fails; of the backend and passing unless it says otherwise. */
export interface ScriptedFault {
  readonly reason: string
  readonly isPermanent?: boolean
  readonly scope?: "upload" | "backend"
  readonly retryAfterMillis?: number
}

/** A backend that accepts everything until a test makes it fail. */
export interface ScriptedBackend extends IpfsBackend {
  /** What it took, by root CID. */
  readonly taken: Map<string, FileDag>
  /** CIDs it was asked to take, in order, also where it failed. */
  readonly asked: Array<string>
  /** Fails until it is told `undefined`, probes too. */
  fault: ScriptedFault | undefined
  /** Fails this often, and takes everything then. */
  faultsLeft: number
  /** What it never takes, by CID; probes are answered. */
  readonly refuses: Map<string, ScriptedFault>
  /** What it takes only once the latch is open, by CID. */
  readonly holds: Map<string, Latch.Latch>
  probes: number
}

export const scriptedBackend = (name: RemoteBackendName, destination = `${name}'s place`): ScriptedBackend => {
  const fail = (fault: ScriptedFault) =>
    Effect.fail(new BackendFailed({ backend: name, isPermanent: false, scope: "backend", ...fault }))
  const answer = Effect.suspend(() => {
    const fault = backend.faultsLeft-- > 0 ? { reason: "a hiccup" } : backend.fault
    return fault === undefined ? Effect.void : fail(fault)
  })
  const backend: ScriptedBackend = {
    name,
    destination,
    taken: new Map(),
    asked: [],
    fault: undefined,
    faultsLeft: 0,
    refuses: new Map(),
    holds: new Map(),
    probes: 0,
    put: (dag) =>
      Effect.suspend(() => {
        const cid = dag.root.toString()
        backend.asked.push(cid)
        const refusal = backend.refuses.get(cid)
        const isOpen = backend.holds.get(cid)?.await ?? Effect.void
        return isOpen.pipe(
          Effect.andThen(refusal === undefined ? answer : fail(refusal)),
          Effect.andThen(Effect.sync(() => void backend.taken.set(cid, dag))),
        )
      }),
    probe: Effect.suspend(() => {
      backend.probes++
      return answer
    }),
  }
  return backend
}
