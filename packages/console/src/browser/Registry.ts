/** All of the console's access to the API: the client package, at the host and prefix of the page. */
import { connect, type Refusal, RegistryError, type StreamEvent, walletHeaders } from "@launch-registry/client"
import { type Failure, failureOf, failureOfRefusal } from "./Failure.ts"
import { NETWORK, SERVICE_URL, SIGN_IN_URL } from "./Page.ts"
import { connectedWallet } from "./wallet/Wallet.ts"

const REQUEST_MILLIS = 15_000
/** An image on a slow line. */
const UPLOAD_MILLIS = 120_000
const RESTART_MILLIS = 30_000

/** Of an operator; it is never stored, and gone with the page. */
let adminKey = ""

export const setAdminKey = (key: string): void => {
  adminKey = key.trim()
}

/** Whether an operator has given a key. */
export const hasAdminKey = (): boolean => adminKey !== ""

/** Operations that take no credentials although they are POSTs. */
const OPEN = ["/api/launch/quote"]

type MakeHeaders = ReturnType<typeof walletHeaders>

/** The operator's key, or else the signature of the wallet where the service wants it for writes. */
const credentials: MakeHeaders = async (request) => {
  if (adminKey !== "") return { authorization: `Bearer ${adminKey}` }
  const wallet = connectedWallet()
  if (SIGN_IN_URL === undefined || wallet?.signMessage === undefined || OPEN.includes(request.path)) return {}
  const { address, signMessage } = wallet
  return walletHeaders({ url: SIGN_IN_URL, network: NETWORK }, { address, signMessage })(request)
}

const connected = (timeoutMillis: number) =>
  connect({
    baseUrl: SERVICE_URL,
    // What is shown is read again by itself, and says meanwhile what failed.
    retries: 0,
    timeoutMillis,
    headers: credentials,
    // The key goes nowhere else.
    fetch: (url, init) => fetch(url, { ...init, redirect: "error" }),
  })

export const registry = connected(REQUEST_MILLIS)

/** The same for bodies that take longer. */
export const uploads = connected(UPLOAD_MILLIS)

/** The successful answer of a call. Fails with a `Failure`, or with an `AbortError` when its signal aborts. */
export const read = async <A extends { readonly success: boolean }>(
  call: Promise<A>,
): Promise<Exclude<A, { readonly success: false }>> => {
  const answer = await call
  if (!answer.success) throw failureOfRefusal(answer as unknown as Refusal)
  return answer as Exclude<A, { readonly success: false }>
}

/** The data of a successful answer, or why there is none. */
export const dataOf = <A>(
  call: Promise<{ readonly success: true; readonly data: A } | { readonly success: false }>,
): Promise<A | Failure> => read(call).then(({ data }) => data, failureOf)

/** What a reader of the stream is told. */
export interface StreamReader {
  readonly onEvent: (event: StreamEvent) => void
  readonly onState: (isLive: boolean) => void
}

/** Follows `/api/stream`, of one mint with a `filter`, until `signal` aborts: after a cut it resumes after the last event. */
export const follow = async (
  types: ReadonlyArray<string>,
  { onEvent, onState }: StreamReader,
  signal: AbortSignal,
  filter: { readonly mintAddresses?: string } = {},
): Promise<void> => {
  while (!signal.aborted) {
    try {
      const events = registry.stream.changes({ types, ...filter }, { signal, onConnection: onState })
      for await (const event of events) onEvent(event)
    } catch (error) {
      // A refusal, such as of a proxy without a route: it may have one later.
      if (error instanceof RegistryError) await new Promise((resolve) => setTimeout(resolve, RESTART_MILLIS))
      else if (!signal.aborted) throw error
    }
  }
}
