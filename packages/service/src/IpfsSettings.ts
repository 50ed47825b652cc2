import type { BackendName } from "@launch-registry/ipfs/IpfsPlacement"
import { isWebUri } from "@launch-registry/domain/text/WebUri"
import { Redacted } from "effect"

/** Where uploads go, in which order, and what the backends outside are told. */
export interface IpfsSettings {
  readonly order: ReadonlyArray<BackendName>
  readonly filebase?: {
    readonly endpoint: string
    readonly bucket: string
    readonly key: Redacted.Redacted
    readonly secret: Redacted.Redacted
    /** Whether an upload counts only once it was read back. */
    readonly readBack: boolean
  }
  readonly w3up?: { readonly key: Redacted.Redacted; readonly proof: Redacted.Redacted }
}

const BACKENDS: ReadonlyArray<BackendName> = ["embedded", "filebase", "w3up"]
const FILEBASE_ENDPOINT = "https://s3.filebase.com"

/** Names of buckets as S3 takes them. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** A URL of http or https that a path can be put behind. */
const isPlain = (text: string): boolean => {
  const url = URL.parse(text)
  // The parser repairs what it can, and the text is used as it is.
  return url !== null && /^https?:\/\/[^\s\\?#]+$/i.test(text) && url.username === "" && url.password === ""
}

/** One that may be sent over networks: https, or http to this machine. */
const isSafe = (text: string): boolean => isPlain(text) && isWebUri(text)

/** What is uploaded is named by this URL in metadata that goes on chain, where it can never be changed. */
const checkGateway = (
  values: Readonly<Record<string, string | undefined>>,
  isPublic: boolean,
  fault: (name: string, expected: string) => void,
): void => {
  const name = values.IPFS_GATEWAY_URL === undefined ? "PUBLIC_URL" : "IPFS_GATEWAY_URL"
  const value = values[name]
  if (value !== undefined && !isSafe(value))
    fault(name, "a URL starting with https:// (http:// for this machine alone), without user and query")
  // Webhooks are registered with it as well.
  if (name !== "PUBLIC_URL" && values.PUBLIC_URL !== undefined && !isPlain(values.PUBLIC_URL))
    fault("PUBLIC_URL", "a URL starting with https:// or http://, without user and query")
  if (value === undefined && isPublic)
    fault("PUBLIC_URL", "where the service is reached from outside (or IPFS_GATEWAY_URL): uploads are named by it")
}

/** The settings of IPFS among `values`, or faults: name and what is expected. */
export const readIpfsSettings = (
  values: Readonly<Record<string, string | undefined>>,
  /** Whether content is read from other machines than this. */
  isPublic: boolean,
  fault: (name: string, expected: string) => void,
): IpfsSettings => {
  checkGateway(values, isPublic, fault)
  const credentials = ["IPFS_KEY", "IPFS_SECRET", "IPFS_BUCKET"] as const
  const hasCredentials = credentials.some((name) => values[name] !== undefined)
  const text = values.IPFS_BACKEND ?? (hasCredentials ? "filebase,embedded" : "embedded")
  const names = text.split(",").map((name) => name.trim())
  const order = BACKENDS.filter((name) => names.includes(name)).toSorted((a, b) => names.indexOf(a) - names.indexOf(b))
  if (order.length !== names.length) {
    fault("IPFS_BACKEND", `an order of ${BACKENDS.join(", ")}, each at most once, with commas between`)
    return { order: ["embedded"] }
  }

  const demand = (name: string, why: string): Redacted.Redacted => {
    if (values[name] === undefined) fault(name, `a value with ${why}`)
    return Redacted.make(values[name] ?? "")
  }
  const usesFilebase = order.includes("filebase")
  if (!usesFilebase && hasCredentials) fault("IPFS_BACKEND", "filebase in the order beside its credentials")
  const withoutUse = [
    ...(usesFilebase ? [] : (["IPFS_ENDPOINT", "IPFS_READ_BACK"] as const)),
    ...(order.includes("w3up") ? [] : (["IPFS_W3UP_KEY", "IPFS_W3UP_PROOF"] as const)),
  ]
  for (const name of withoutUse)
    if (values[name] !== undefined) fault(name, "nothing while IPFS_BACKEND does not name the backend it is of")
  if (!order.includes("embedded") && values.IPFS_GATEWAY_URL === undefined)
    fault(
      "IPFS_GATEWAY_URL",
      "a gateway that has the uploads, as nothing is kept here without embedded in IPFS_BACKEND",
    )
  const readBack = values.IPFS_READ_BACK ?? "true"
  if (!["true", "false"].includes(readBack)) fault("IPFS_READ_BACK", "true or false")
  const endpoint = (values.IPFS_ENDPOINT ?? FILEBASE_ENDPOINT).replace(/\/+$/, "")
  if (!isSafe(endpoint))
    fault("IPFS_ENDPOINT", "a URL starting with https:// (http:// for this machine alone), without user and query")
  if (values.IPFS_BUCKET !== undefined && !BUCKET.test(values.IPFS_BUCKET))
    fault("IPFS_BUCKET", "the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens")
  return {
    order,
    ...(usesFilebase && {
      filebase: {
        endpoint,
        bucket: Redacted.value(demand("IPFS_BUCKET", "filebase in IPFS_BACKEND")),
        key: demand("IPFS_KEY", "filebase in IPFS_BACKEND"),
        secret: demand("IPFS_SECRET", "filebase in IPFS_BACKEND"),
        readBack: readBack === "true",
      },
    }),
    ...(order.includes("w3up") && {
      w3up: {
        key: demand("IPFS_W3UP_KEY", "w3up in IPFS_BACKEND"),
        proof: demand("IPFS_W3UP_PROOF", "w3up in IPFS_BACKEND"),
      },
    }),
  }
}
