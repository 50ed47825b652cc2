/** Where a signature is valid: signatures for another site or cluster are refused. */
export interface Site {
  /** Host of the public URL, with its port. */
  readonly domain: string
  /** The public URL. */
  readonly uri: string
  /** `mainnet`, `devnet` or `localnet`. */
  readonly chainId: string
}

/** What a wallet says of a request that it signs. */
export interface SignedClaims {
  readonly address: string
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime: string
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string
}

/** The text that a wallet signs for a request: a Sign-In With Solana message whose statement names the request. */
export const signedMessage = (
  { chainId, domain, uri }: Site,
  { method, url }: { readonly method: string; readonly url: string },
  { address, bodyHash, expirationTime, issuedAt, nonce }: SignedClaims,
): string =>
  `${domain} wants you to sign in with your Solana account:
${address}

Send ${method} ${url} with the body of SHA-256 ${bodyHash}

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt}
Expiration Time: ${expirationTime}`
