import { generateKeyPairSync, sign } from "node:crypto"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { signedHeaders, type SigningWallet } from "../../../client/src/WalletHeaders.ts"

/** A wallet with a new key. */
export const newWallet = (): SigningWallet => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  return {
    address: encodeBase58(Buffer.from(x, "base64url")),
    signMessage: async (message) => new Uint8Array(sign(null, message, privateKey)),
  }
}

/** The value of `Authorization` for one request; `path` includes the query, `body` are the bytes that are sent. */
export const authorization = async (
  service: Parameters<typeof signedHeaders>[0],
  wallet: SigningWallet,
  method: string,
  path: string,
  body: Uint8Array<ArrayBuffer> = new Uint8Array(),
): Promise<string> => (await signedHeaders(service, wallet, { method, path, body })).authorization
