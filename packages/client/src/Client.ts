import { eventStream } from "./EventStream.ts"
import type { Operations } from "./generated/Contract.ts"
import { OPERATIONS } from "./generated/Operations.ts"
import type { CallOptions } from "./Call.ts"
import { type ConnectOptions, type Outgoing, type Transport, transport } from "./Transport.ts"

export type {
  Call,
  CallOptions,
  ClientRefusal,
  HttpStatus,
  OptionalCall,
  Success,
  UnexpectedAnswer,
  Unreachable,
} from "./Call.ts"
export type * from "./generated/Contract.ts"
export {
  type BuiltTransaction,
  type Landed,
  land,
  type LandOptions,
  type NotLanded,
  type ToLand,
  type Sign,
  transactionVersionOf,
  walletStandardSign,
} from "./Land.ts"
export type { StreamOptions } from "./EventStream.ts"
export { itemsOf, pagesOf } from "./Pages.ts"
export { answered, type Refusal, RegistryError } from "./RegistryError.ts"
export type { ConnectOptions, OutgoingRequest } from "./Transport.ts"
export { type SigningWallet, walletHeaders } from "./WalletHeaders.ts"

/** Every operation of the registry, and its events. */
export interface Registry extends Operations {
  readonly stream: {
    readonly changes: ReturnType<typeof eventStream>
  }
}

const formOf = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** The request of an operation: what its path names goes there, `body` into the body, all else into the query. */
const outgoingOf = (method: string, template: string, request: Readonly<Record<string, unknown>>): Outgoing => {
  const { body, ...others }: Record<string, unknown> = request
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(others[name] ?? "")
    delete others[name]
    // These would be another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} is missing`)
    return encodeURIComponent(value)
  })
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return {
    path: query === "" ? path : `${path}?${query}`,
    method: method.replace("FORM", "POST").replace("+", ""),
    isKeyed: method.endsWith("+"),
    body:
      body === undefined
        ? undefined
        : method.startsWith("FORM")
          ? formOf(body as Record<string, Blob>)
          : JSON.stringify(body),
  }
}

const callOf = ({ send }: Transport, operation: string, at: string) => {
  const [method = "", template = ""] = at.split(" ")
  return Object.assign(
    async (request: Readonly<Record<string, unknown>> = {}, options?: CallOptions) =>
      send(outgoingOf(method, template, request), options),
    { operation },
  )
}

/** A client of the registry at `baseUrl`. Opens no connection of its own and holds nothing but what `etags` allows. */
export const connect = (options: ConnectOptions): Registry => {
  const sending = transport(options)
  const groups = Object.entries(OPERATIONS).map(([group, members]) => [
    group,
    Object.fromEntries(Object.entries(members).map(([name, at]) => [name, callOf(sending, `${group}.${name}`, at)])),
  ])
  return { ...Object.fromEntries(groups), stream: { changes: eventStream(sending) } } as Registry
}
