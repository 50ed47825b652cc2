import type { BackendName } from "@launch-registry/ipfs/placement/IpfsPlacement"
import { isPlainUrl, isServiceUrl, SERVICE_URL } from "@launch-registry/domain/text/ServiceUrl"
import { BUCKET_NAME, isBucketName } from "@launch-registry/ipfs/filebase/BucketName"
import { Redacted } from "effect"

/** Order of backends for uploads, and the settings of remote ones. */
export interface IpfsSettings {
  readonly order: ReadonlyArray<BackendName>
  readonly filebase?: {
    readonly endpoint: string
    readonly bucket: string
    readonly key: Redacted.Redacted
    readonly secret: Redacted.Redacted
  }
  /** The key of an agent, and a delegation of a space to it. */
  readonly w3up?: { readonly key: Redacted.Redacted; readonly proof: Redacted.Redacted }
}

const BACKENDS: ReadonlyArray<BackendName> = ["embedded", "filebase", "w3up"]
const FILEBASE_ENDPOINT = "https://s3.filebase.com"

/** Metadata on chain refers to uploads by this URL, and can never be changed. */
const checkGateway = (
  values: Readonly<Record<string, string | undefined>>,
  isPublic: boolean,
  fault: (name: string, expected: string) => void,
): void => {
  const name = values.IPFS_GATEWAY_URL === undefined ? "PUBLIC_URL" : "IPFS_GATEWAY_URL"
  const value = values[name]
  if (value !== undefined && !isServiceUrl(value)) fault(name, SERVICE_URL)
  // Webhooks are registered with PUBLIC_URL as well.
  if (name !== "PUBLIC_URL" && values.PUBLIC_URL !== undefined && !isPlainUrl(values.PUBLIC_URL))
    fault("PUBLIC_URL", "a URL starting with https:// or http://, without credentials and query")
  if (value === undefined && isPublic)
    fault("PUBLIC_URL", "the public URL of the service (or IPFS_GATEWAY_URL): it is part of the URLs of uploads")
}

/** The settings of IPFS among `values`; faults are reported as name and expectation. */
export const readIpfsSettings = (
  values: Readonly<Record<string, string | undefined>>,
  /** Whether content is served to other hosts. */
  isPublic: boolean,
  fault: (name: string, expected: string) => void,
): IpfsSettings => {
  checkGateway(values, isPublic, fault)
  const hasCredentials = ["IPFS_KEY", "IPFS_SECRET", "IPFS_BUCKET"].some((name) => values[name] !== undefined)
  const text = values.IPFS_BACKEND ?? (hasCredentials ? "filebase,embedded" : "embedded")
  const names = text.split(",").map((name) => name.trim())
  const order = BACKENDS.filter((name) => names.includes(name)).toSorted((a, b) => names.indexOf(a) - names.indexOf(b))
  const [remote, ...others] = order.filter((name) => name !== "embedded")
  if (order.length !== names.length || others.length > 0) {
    fault("IPFS_BACKEND", "an order of embedded and one of filebase and w3up, or one of the three alone")
    return { order: ["embedded"] }
  }

  const demand = (name: string): Redacted.Redacted => {
    if (values[name] === undefined) fault(name, `a value with ${remote} in IPFS_BACKEND`)
    return Redacted.make(values[name] ?? "")
  }
  if (remote === undefined && hasCredentials) fault("IPFS_BACKEND", "filebase or w3up, because credentials are set")
  const unused = { filebase: [], w3up: ["IPFS_BUCKET", "IPFS_ENDPOINT"], embedded: ["IPFS_ENDPOINT"] }[
    remote ?? "embedded"
  ]
  for (const name of unused)
    if (values[name] !== undefined) fault(name, "no value, because IPFS_BACKEND does not name filebase")
  if (!order.includes("embedded") && values.IPFS_GATEWAY_URL === undefined)
    fault("IPFS_GATEWAY_URL", "a gateway that serves the uploads, because IPFS_BACKEND has no embedded backend")
  const endpoint = (values.IPFS_ENDPOINT ?? FILEBASE_ENDPOINT).replace(/\/+$/, "")
  if (!isServiceUrl(endpoint)) fault("IPFS_ENDPOINT", SERVICE_URL)
  if (values.IPFS_BUCKET !== undefined && !isBucketName(values.IPFS_BUCKET)) fault("IPFS_BUCKET", BUCKET_NAME)
  if (remote === undefined) return { order }
  const [key, secret] = [demand("IPFS_KEY"), demand("IPFS_SECRET")]
  return remote === "w3up"
    ? { order, w3up: { key, proof: secret } }
    : { order, filebase: { endpoint, bucket: Redacted.value(demand("IPFS_BUCKET")), key, secret } }
}
