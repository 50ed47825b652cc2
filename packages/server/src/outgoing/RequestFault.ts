import { HostNotFound, RefusedAddress } from "./HostAddresses.ts"

/** Why a request has no answer. */
export type RequestFault = "timeout" | "dns" | "refused_address" | "connection" | "tls"

/** Why a request failed with this error. */
export const requestFault = (error: unknown, isTimeout: boolean): RequestFault => {
  if (error instanceof RefusedAddress) return "refused_address"
  if (isTimeout) return "timeout"
  const { code = "" } = error as NodeJS.ErrnoException
  if (error instanceof HostNotFound || code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns"
  return /CERT|^ERR_(TLS|SSL)|UNABLE_TO|SELF_SIGNED|^EPROTO/.test(code) ? "tls" : "connection"
}
