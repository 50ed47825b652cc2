import type { Headers, OutgoingRequest } from "./Transport.ts"

const LIFETIME_MILLIS = 5 * 60_000

export interface SigningWallet {
  /** Base58. */
  readonly address: string
  /** That of a wallet adapter: the signature over the bytes. */
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

const base64url = (binary: string): string => btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

interface SignedFor {
  readonly network: string
  readonly url: string
}

/** The header of one request that a wallet signs. */
export const signedHeaders = async (
  { network, url }: SignedFor,
  { address, signMessage }: SigningWallet,
  { body, method, path }: OutgoingRequest,
): Promise<{ readonly authorization: string }> => {
  const now = Date.now()
  const claims = {
    address,
    nonce: hex(crypto.getRandomValues(new Uint8Array(16))),
    issuedAt: new Date(now).toISOString(),
    expirationTime: new Date(now + LIFETIME_MILLIS).toISOString(),
    bodyHash: hex(new Uint8Array(await crypto.subtle.digest("SHA-256", body))),
  }
  const message = `${new URL(url).host} wants you to sign in with your Solana account:
${address}

Send ${method} ${path} with the body of SHA-256 ${claims.bodyHash}

URI: ${url}
Version: 1
Chain ID: ${network}
Nonce: ${claims.nonce}
Issued At: ${claims.issuedAt}
Expiration Time: ${claims.expirationTime}`
  const signature = await signMessage(new TextEncoder().encode(message))
  const credential = { ...claims, signature: base64url(String.fromCharCode(...signature)) }
  return { authorization: `Solana ${base64url(JSON.stringify(credential))}` }
}

/**
 * The `headers` of a registry that asks writes for the signature of a wallet (`WRITE_AUTH=wallet`): each is signed, in the form of Sign In
 * With Solana; reads are not. `url` and `network` are PUBLIC_URL and NETWORK of the service.
 */
export const walletHeaders =
  (service: SignedFor, wallet: SigningWallet) =>
  async (request: OutgoingRequest): Promise<Headers> =>
    request.method === "GET" ? {} : signedHeaders(service, wallet, request)
