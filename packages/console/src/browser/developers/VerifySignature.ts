/** Standard Webhooks: https://www.standardwebhooks.com. */

const TOLERANCE_SECONDS = 300
const BLOCK_BYTES_MIN = 16

/** What a receiver got. */
export interface ReceivedWebhook {
  readonly id: string
  /** Unix time in seconds, as it was sent. */
  readonly timestamp: string
  /** `v1,<base64>`; several during a rotation, with spaces between. */
  readonly signatures: string
  /** The bytes as they came, as text. */
  readonly body: string
}

export type Verdict =
  | { readonly isSigned: true; readonly isTooOld: boolean }
  | { readonly isSigned: false; readonly why: string }

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Whether a message was signed with a secret (`whsec_...`). Nothing leaves the page. */
export const verifySignature = async (
  secret: string,
  { body, id, signatures, timestamp }: ReceivedWebhook,
  nowSeconds: number,
): Promise<Verdict> => {
  const key = bytesOf(secret.trim().replace(/^whsec_/, ""))
  if (key === undefined || key.length < BLOCK_BYTES_MIN)
    return { isSigned: false, why: "The secret is none: it is whsec_ and base64" }
  if (!/^\d+$/.test(timestamp.trim())) return { isSigned: false, why: "webhook-timestamp is Unix time in seconds" }
  // Browsers have it on https and on localhost alone.
  if (crypto.subtle === undefined)
    return { isSigned: false, why: "This page is not on https, so the browser cannot check" }
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
  const content = new TextEncoder().encode(`${id.trim()}.${timestamp.trim()}.${body}`)
  for (const one of signatures.trim().split(/\s+/)) {
    const [version, text = ""] = one.split(",")
    const given = bytesOf(text)
    if (version === "v1" && given !== undefined && (await crypto.subtle.verify("HMAC", imported, given, content)))
      return { isSigned: true, isTooOld: Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS }
  }
  return {
    isSigned: false,
    why: "No signature is of this secret and exactly this body: is it the text as it came, not parsed and printed again?",
  }
}
