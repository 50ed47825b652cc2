import { setTimeout } from "node:timers/promises"
import { readBody } from "@launch-registry/domain/http/ReadBody"
import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"
import { BackendFailed } from "../backends/IpfsBackend.ts"

export const w3upFailed = (reason: string, isPermanent: boolean, more: Partial<BackendFailed> = {}): BackendFailed =>
  new BackendFailed({ backend: "w3up", reason, isPermanent, scope: "backend", ...more })

/** Failures in receipts that stay, by name. The public network answers every write with the first since May 2026. */
const PERMANENT: Readonly<Record<string, string>> = {
  ServiceUnavailable: "the network takes no more writes",
  Unauthorized: "the service does not accept the key or the proof: wrong, expired or revoked",
  InsufficientStorage: "the space has no storage: it needs an account with a plan",
  InvalidAudience: "the service goes by another name",
}

/** Classifies the cause of a failure of the client. Only names are passed on: other text may hold signed URLs. */
export const w3upFault = (error: unknown): BackendFailed => {
  if (error instanceof BackendFailed) return error
  if (error instanceof Error && error.cause !== undefined) return w3upFault(error.cause)
  const name = /^\w{1,64}$/.exec(String((error as Partial<Error> | undefined)?.name))?.[0] ?? "Error"
  const meaning = PERMANENT[name]
  // A failure in a receipt is an object with a name and about this upload; an error may be anything.
  const isOfUpload = meaning === undefined && !name.endsWith("Error") && !(error instanceof Error)
  const reason = `${meaning ?? "the service did not confirm the upload"} (${name})`
  return w3upFailed(reason, meaning !== undefined, { scope: isOfUpload ? "upload" : "backend" })
}

/** `fetch` for the client, which would write waits for receipts and all but type errors to the console. Never from https to http. */
export const w3upFetch =
  (service: URL, signal: AbortSignal): typeof fetch =>
  async (input, { body = null, headers = {}, method = "GET" } = {}) => {
    const isReceipt = method === "GET"
    const party = isReceipt ? "the store of receipts" : method === "POST" ? "the service" : "the store of the service"
    const fault = (what: string, isPermanent = false, more: Partial<BackendFailed> = {}) =>
      new TypeError("A request failed", { cause: w3upFailed(`${party} ${what}`, isPermanent, more) })
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== "https:" && url.protocol !== service.protocol) throw fault("has an address without https")
    const ask = async (): Promise<readonly [Response, Buffer<ArrayBuffer> | undefined]> => {
      const answer = await fetch(url, { method, headers, body, signal, redirect: isReceipt ? "follow" : "manual" })
      const bytes = await readBody(answer, 4 << 20)
      if (!isReceipt || answer.status !== 404) return [answer, bytes]
      await setTimeout(500, undefined, { signal })
      return ask()
    }
    const [answer, bytes] = await ask().catch(({ cause }: { readonly cause?: { readonly code?: string } }) => {
      throw fault(`cannot be reached (${cause?.code ?? "no answer"})`)
    })
    if (answer.ok && bytes !== undefined) return new Response(bytes, answer)
    const { headers: received, status } = answer
    const retryMillis = retryAfterMillis(received.get("retry-after"), Date.now())
    const isRefusal = status >= 300 && status < 500 && ![408, 425, 429].includes(status)
    // Every attempt gets another URL of the store, so only refusals by the service are permanent.
    throw fault(bytes === undefined ? "answered too much" : `answered ${status}`, isRefusal && method === "POST", {
      scope: [400, 409, 413, 415, 422].includes(status) ? "upload" : "backend",
      ...(retryMillis !== undefined && { retryAfterMillis: retryMillis }),
    })
  }
