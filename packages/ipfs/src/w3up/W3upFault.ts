import { BackendFailed } from "../IpfsBackend.ts"
import { W3upRequestFailed, type W3upRequestFault } from "./W3upRequests.ts"

/** Names of failures in receipts that stay until somebody changes something. */
const PERMANENT: Readonly<Record<string, string>> = {
  // storacha/upload-service, packages/upload-api/src/disable-writes.js: every write, since May 2026.
  ServiceUnavailable: "the network takes no more writes",
  Unauthorized: "the service does not accept the proof of IPFS_W3UP_PROOF",
  InsufficientStorage: "the space has no storage: it needs an account with a plan",
  InvalidAudience: "the service goes by another name",
}

const PARTIES = {
  service: "the service",
  receipts: "the service's store of receipts",
  storage: "the store that the service sent us to",
}

/** Client errors that the same request may not meet again. */
const PASSING = new Set([408, 425, 429])

/** Client errors that any upload would meet. */
const SERVICE_STATUSES = new Set([401, 402, 403, 404, 405, 407, ...PASSING])

/**
 * What a failure of the client means. No text of the other side is taken over, apart from names: what it says may hold
 * signed addresses.
 */
export const w3upFault = (error: unknown): BackendFailed => {
  if (error instanceof W3upRequestFailed) return requestFault(error.fault)
  const name = failureName(error)
  const meaning = PERMANENT[name]
  const during = error instanceof Error ? /^failed (\w+(?:\/\w+)+) invocation$/.exec(error.message)?.[1] : undefined
  const detail = during === undefined ? name : `${name} at ${during}`
  return new BackendFailed({
    backend: "w3up",
    reason: meaning === undefined ? `the service did not confirm the upload (${detail})` : `${meaning} (${detail})`,
    isPermanent: meaning !== undefined,
    // A receipt that names why is an answer to this upload; errors are no reasons, and leave open whose fault it is.
    scope: meaning === undefined && during !== undefined && !name.endsWith("Error") ? "upload" : "backend",
  })
}

const requestFault = ({ code, party, retryAfterMillis, status }: W3upRequestFault): BackendFailed =>
  new BackendFailed({
    backend: "w3up",
    reason:
      status === undefined
        ? `${PARTIES[party]} cannot be reached (${code ?? "no answer"})`
        : `${PARTIES[party]} answered ${status}`,
    // Every attempt is sent to another address of the store.
    isPermanent: party === "service" && status !== undefined && status >= 300 && status < 500 && !PASSING.has(status),
    scope:
      status !== undefined && status >= 400 && status < 500 && !SERVICE_STATUSES.has(status) ? "upload" : "backend",
    ...(retryAfterMillis !== undefined && { retryAfterMillis }),
  })

/** The client wraps the failure of a receipt, which is an object with a name, as the cause of an error. */
const failureName = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return "Error"
  if ("cause" in error && error.cause !== undefined) return failureName(error.cause)
  return "name" in error && typeof error.name === "string" && /^\w{1,64}$/.test(error.name) ? error.name : "Error"
}
