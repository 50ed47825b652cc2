import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { type Address, isOffCurveAddress } from "@solana/kit"
import type { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import type { Desk } from "./Writer.ts"
import { requireSent } from "./Writer.ts"

export const SOL = "So11111111111111111111111111111111111111112"

export const addressOf = (random: SeededRandom): string => encodeBase58(random.bytes(32))

/** Of a key that can sign. */
export const walletOf = (random: SeededRandom): string => {
  const address = addressOf(random)
  return isOffCurveAddress(address as Address) ? walletOf(random) : address
}

/** Unique letters and digits. */
export const wordOf = (random: SeededRandom): string => random.u64().toString(36)

/** An Idempotency-Key, long enough to encrypt with. */
export const keyOf = (random: SeededRandom): string => Buffer.from(random.bytes(16)).toString("hex")

/** Registers a token with tags and its configuration; returns the acknowledgement. */
export const registerToken = async ({ client, ledger, random }: Desk) => {
  const sent = {
    name: `Token ${wordOf(random)}`,
    symbol: wordOf(random).slice(0, 6).toUpperCase(),
    description: wordOf(random),
    totalSupply: String(random.u64()),
    mintAddress: addressOf(random),
    owner: addressOf(random),
    launchpad: random.pick(["launchpad_a", "launchpad_b"]),
    tags: Array.from({ length: random.between(1, 3) }, () => wordOf(random)),
    tokenConfig: {
      quoteMint: SOL,
      dbcConfig: { buildCurveMode: random.below(4), leftover: random.below(100_000), feeClaimer: addressOf(random) },
    },
  }
  const website = `https://example.com/${wordOf(random)}`
  const registered = await client.write("token", {
    path: "/api/tokens",
    json: { ...sent, website, decimals: 6 },
    key: keyOf(random),
    onRepeat: ({ body }) => {
      if (body?.code !== "already_exists") return undefined
      ledger.doubled.add(`token ${sent.mintAddress}: a repeated request was taken for another one`)
      return client.read(`/api/tokens/mint/${sent.mintAddress}`)
    },
  })
  const token = registered.body.data
  requireSent({ ...sent, website }, { ...token, website: token?.metadata.website })
  return token
}
