export interface Wallet {
  readonly address: string
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>
}

/** `PUBLIC_URL` and `NETWORK` of the service. */
export interface Service {
  readonly url: string
  readonly network: string
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))

const base64url = (binary: string): string => btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** The value of `Authorization` for one request, as docs/access.md says. `path` includes the query; `body` are the bytes that are sent. */
export const authorization = async (
  service: Service,
  wallet: Wallet,
  method: string,
  path: string,
  body: Uint8Array<ArrayBuffer> = new Uint8Array(),
): Promise<string> => {
  const now = Date.now()
  const claims = {
    address: wallet.address,
    nonce: hex(crypto.getRandomValues(new Uint8Array(16))),
    issuedAt: new Date(now).toISOString(),
    expirationTime: new Date(now + 5 * 60_000).toISOString(),
    bodyHash: await sha256(body),
  }
  const message = `${new URL(service.url).host} wants you to sign in with your Solana account:
${claims.address}

Send ${method} ${path} with the body of SHA-256 ${claims.bodyHash}

URI: ${service.url}
Version: 1
Chain ID: ${service.network}
Nonce: ${claims.nonce}
Issued At: ${claims.issuedAt}
Expiration Time: ${claims.expirationTime}`
  const signature = await wallet.signMessage(new TextEncoder().encode(message))
  return `Solana ${base64url(JSON.stringify({ ...claims, signature: base64url(String.fromCharCode(...signature)) }))}`
}
