import { Context, Effect, Option, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type CallerAddresses, callerAddresses } from "./CallerAddress.ts"

/** Limits per address and process. */
export interface AddressLimits {
  /** Connections; behind a trusted proxy requests in flight, because its connections carry many clients. */
  readonly connections: number
  /** Event streams. */
  readonly streams: number
  /** Image uploads that were received, and are decoded and stored. */
  readonly uploads: number
  /** Whole lists being sent. */
  readonly lists: number
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: ReadonlyArray<string>
}

/** `uploadBodies`: image uploads in flight, with those that are still being received. */
export type Capped = "connections" | "streams" | "uploads" | "uploadBodies" | "lists"

/** Generous: many clients may share an address, as all do behind an unconfigured proxy. Uploads are costly, and decoded in a second. */
export const ADDRESS_LIMITS: AddressLimits = {
  connections: 1_000,
  streams: 250,
  uploads: 10,
  lists: 64,
  trustedProxies: [],
}

/** An upload that is being received costs little, and its sender may be slow. */
const UPLOAD_BODIES_FACTOR = 10

/** Counts usage per address. */
export interface AddressCaps extends CallerAddresses {
  readonly limits: AddressLimits
  /** Counts one more for a client; returns the release, or `undefined` at the limit. */
  readonly enter: (what: Capped, caller: string) => (() => void) | undefined
  /** The client of a request. */
  readonly callerOfRequest: (request: HttpServerRequest.HttpServerRequest) => string
  /** Counts one more for the client of a request, until the scope closes. */
  readonly hold: <E>(
    what: Capped,
    request: HttpServerRequest.HttpServerRequest,
    refused: (limit: number) => E,
  ) => Effect.Effect<void, E, Scope.Scope>
}

export const makeAddressCaps = (options: Partial<AddressLimits> = {}): AddressCaps => {
  const limits = { ...ADDRESS_LIMITS, ...options }
  const most: Readonly<Record<Capped, number>> = { ...limits, uploadBodies: UPLOAD_BODIES_FACTOR * limits.uploads }
  const addresses = callerAddresses(limits.trustedProxies)
  const counts = new Map<string, number>()

  const enter: AddressCaps["enter"] = (what, caller) => {
    const key = `${what} ${caller}`
    const count = counts.get(key) ?? 0
    if (count >= most[what]) return undefined
    counts.set(key, count + 1)
    return () => {
      const left = counts.get(key)! - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    }
  }

  const callerOfRequest: AddressCaps["callerOfRequest"] = ({ headers, remoteAddress }) =>
    addresses.callerOf(
      Option.getOrElse(remoteAddress, () => ""),
      headers["x-forwarded-for"],
    )

  const hold: AddressCaps["hold"] = (what, request, refused) =>
    Effect.suspend(() => {
      const leave = enter(what, callerOfRequest(request))
      if (leave === undefined) return Effect.fail(refused(most[what]))
      return Effect.addFinalizer(() => Effect.sync(leave))
    }).pipe(Effect.uninterruptible)

  return { ...addresses, limits, enter, callerOfRequest, hold }
}

/** The instance of the current server. */
export const AddressCapsOfServer = Context.Reference<AddressCaps>("@launch-registry/http/listener/AddressCaps", {
  defaultValue: () => makeAddressCaps(),
})
