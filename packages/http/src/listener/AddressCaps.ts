import { Context, Effect, Option, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type CallerAddresses, callerAddresses } from "./CallerAddress.ts"

/** How much a single address may have of a process at the same time. */
export interface AddressLimits {
  /** Connections; behind a trusted proxy requests under way, as its connections are those of many. */
  readonly connections: number
  /** Streams of events. */
  readonly streams: number
  /** Image uploads under way. */
  readonly uploads: number
  /** Whole lists being sent. */
  readonly lists: number
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<string>
}

export type Capped = "connections" | "streams" | "uploads" | "lists"

/** Generous: many people may have one address, and all of them do behind a proxy that is not named. */
export const ADDRESS_LIMITS: AddressLimits = {
  connections: 1_000,
  streams: 250,
  uploads: 100,
  lists: 64,
  trustedProxies: [],
}

/** Counts what each address has under way. */
export interface AddressCaps extends CallerAddresses {
  readonly limits: AddressLimits
  /** Counts one more for a caller; what gives it back, or `undefined` when it has as many as it may. */
  readonly enter: (what: Capped, caller: string) => (() => void) | undefined
  /** Counts one more for the caller of a request, until the scope closes. */
  readonly hold: <E>(
    what: Capped,
    request: HttpServerRequest.HttpServerRequest,
    refused: (limit: number) => E,
  ) => Effect.Effect<void, E, Scope.Scope>
}

export const makeAddressCaps = (options: Partial<AddressLimits> = {}): AddressCaps => {
  const limits = { ...ADDRESS_LIMITS, ...options }
  const addresses = callerAddresses(limits.trustedProxies)
  const counts = new Map<string, number>()

  const enter: AddressCaps["enter"] = (what, caller) => {
    const key = `${what} ${caller}`
    const count = counts.get(key) ?? 0
    if (count >= limits[what]) return undefined
    counts.set(key, count + 1)
    return () => {
      const left = counts.get(key)! - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    }
  }

  const hold: AddressCaps["hold"] = (what, request, refused) =>
    Effect.suspend(() => {
      const peer = Option.getOrElse(request.remoteAddress, () => "")
      const leave = enter(what, addresses.callerOf(peer, request.headers["x-forwarded-for"]))
      if (leave === undefined) return Effect.fail(refused(limits[what]))
      return Effect.addFinalizer(() => Effect.sync(leave))
    }).pipe(Effect.uninterruptible)

  return { ...addresses, limits, enter, hold }
}

/** The caps of the server that answers. */
export const AddressCapsOfServer = Context.Reference<AddressCaps>("@launch-registry/http/listener/AddressCaps", {
  defaultValue: () => makeAddressCaps(),
})
