import { BackendFailed } from "../IpfsBackend.ts"
import { W3upRequestFailed, type W3upRequestFault } from "./W3upRequests.ts"

/** Permanent failures in receipts, by name. */
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

/** Client errors that are worth a retry. */
const TRANSIENT = new Set([408, 425, 429])

/** Client errors that any upload would get. */
const SERVICE_STATUSES = new Set([401, 402, 403, 404, 405, 407, ...TRANSIENT])

/**
 * Classifies a failure of the client. Only names are passed on: other text of the service may hold signed URLs.
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
    // A receipt with a named failure is about this upload; an `Error` may be anything.
    scope: meaning === undefined && during !== undefined && !name.endsWith("Error") ? "upload" : "backend",
  })
}

const requestFault = ({ code, party, retryAfterMillis, status }: W3upRequestFault): BackendFailed =>
  new BackendFailed({
    backend: "w3up",
    reason:
      status === undefined
        ? `${PARTIES[party]} cannot be reached (${code ?? "no answer"})`
        : `${PARTIES[party]} answered ${status}${code === undefined ? "" : ` (${code})`}`,
    // Every attempt gets another URL of the store, so its failures are never permanent.
    isPermanent: party === "service" && status !== undefined && status >= 300 && status < 500 && !TRANSIENT.has(status),
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
