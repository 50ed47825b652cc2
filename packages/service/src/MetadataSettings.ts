import { isServiceUrl, SERVICE_URL } from "@launch-registry/domain/text/ServiceUrl"
import type { MetadataOptions } from "@launch-registry/server/metadata/DocumentUrls"
import type { Fault } from "./WholeSetting.ts"

/** Public gateways to IPFS, which are free and promise nothing. */
const PUBLIC_GATEWAYS = ["https://ipfs.io/ipfs", "https://dweb.link/ipfs", "https://gateway.pinata.cloud/ipfs"]

/** How metadata documents are fetched that are stored elsewhere; undefined if they are not. Faults are reported as name and expectation. */
export const readMetadataSettings = (
  values: Readonly<Record<string, string | undefined>>,
  isLocal: boolean,
  fault: Fault,
): MetadataOptions | undefined => {
  const { FETCH_METADATA: text = "off" } = values
  if (text === "off") return undefined
  if (text === "on") return { gateways: PUBLIC_GATEWAYS, allowsPrivate: isLocal }
  const gateways = text.split(",").map((gateway) => gateway.trim().replace(/\/+$/, ""))
  if (!gateways.every((gateway) => isServiceUrl(gateway) && (isLocal || gateway.startsWith("https:"))))
    fault("FETCH_METADATA", `off, on, or gateways to IPFS, comma-separated, each ${SERVICE_URL}`)
  return { gateways, allowsPrivate: isLocal }
}
