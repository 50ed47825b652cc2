import { createHmac, hkdfSync } from "node:crypto"
import { Redacted } from "effect"

const PREFIX = "whsec_"
const SECRET_BYTES = 32

/** A version of the secret of an endpoint. */
export interface SecretVersion {
  readonly endpointId: string
  readonly version: number
}

/** HKDF (RFC 5869) of the master secret: whoever knows one endpoint's secret learns nothing of others. */
const derive = (master: Redacted.Redacted, { endpointId, version }: SecretVersion): Buffer =>
  Buffer.from(
    hkdfSync(
      "sha256",
      Redacted.value(master),
      "",
      `launch-registry notification endpoint ${endpointId} version ${version}`,
      SECRET_BYTES,
    ),
  )

/** The secret as receivers configure it. */
export const secretText = (master: Redacted.Redacted, of: SecretVersion): string =>
  PREFIX + derive(master, of).toString("base64")

/** A message as it is signed. */
export interface SignedContent {
  readonly id: string
  /** Unix time. */
  readonly timestampSeconds: number
  readonly body: string
}

/** `webhook-signature` of Standard Webhooks: one `v1` signature for each secret. */
export const signatureOf = (
  { body, id, timestampSeconds }: SignedContent,
  masters: ReadonlyArray<Redacted.Redacted>,
  versions: ReadonlyArray<SecretVersion>,
): string =>
  masters
    .flatMap((master) => versions.map((of) => derive(master, of)))
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestampSeconds}.${body}`).digest("base64")}`)
    .join(" ")
