import { Effect, Latch } from "effect"
import type { FileDag } from "../../src/content/Dag.ts"
import { BackendFailed, type IpfsBackend, type RemoteBackendName } from "../../src/backends/IpfsBackend.ts"

/** The fault of a scripted backend; transient, and of the backend, by default. */
export interface ScriptedFault {
  readonly reason: string
  readonly isPermanent?: boolean
  readonly scope?: "upload" | "backend"
  readonly retryAfterMillis?: number
}

/** A backend that accepts everything until a test makes it fail. */
export interface ScriptedBackend extends IpfsBackend {
  /** Accepted content, by root CID. */
  readonly taken: Map<string, FileDag>
  /** Requested CIDs in order, including failures. */
  readonly asked: Array<string>
  /** Every call fails until this is `undefined`, probes too. */
  fault: ScriptedFault | undefined
  /** Fails this often, and then accepts everything. */
  faultsLeft: number
  /** CIDs that it never accepts; probes succeed. */
  readonly refuses: Map<string, ScriptedFault>
  /** CIDs that it accepts only once the latch is open. */
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
