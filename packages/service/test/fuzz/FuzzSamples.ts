import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { quoteBody } from "../../../bridge/test/TestBridge.ts"
import { sampleSignature, SOL, tokenDraft, transactionDraft } from "../Samples.ts"
import type { BodySamples } from "./FuzzRequest.ts"
import { oneOf, type SampleContext } from "./SampleOf.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
/** Launches in one step are built for a wallet that can pay. */
export const FUZZ_WALLET = SEEDED_POOLS[1]!.creator
const METADATA = { name: "Fuzz", symbol: "FUZZ", description: "d", imageUri: "https://example.com/i.png" }

const mint = ({ random }: SampleContext) => oneOf(random, Object.values(SEEDED_MINTS))

/** Accepted bodies, where the schema alone would seldom give one. Other operations get bodies from their schemas. */
export const FUZZ_SAMPLES: BodySamples = {
  "tokens.create": () => tokenDraft(),
  "transactions.create": () => transactionDraft(),
  "ipfs.uploadMetadata": () => METADATA,
  "launch.dbcConfig": () => ({ metadata: METADATA, signer: SIGNER }),
  "launch.deployToken": ({ known }) => ({
    ...{ metadata: METADATA, signer: SIGNER },
    dbcConfigKeypair: known.find("Launch", "dbcConfigKeypair") ?? {},
  }),
  "launch.create": ({ random }) => ({
    ...{ metadata: METADATA, signer: FUZZ_WALLET },
    ...(random(2) === 0 && { firstBuy: { amount: "1000" } }),
  }),
  "launch.whitelist": ({ known }) => ({ tokenAddress: known.find("Tokens", "mintAddress") }),
  // Swaps of the other one continue.
  "launch.unwhitelist": () => ({ tokenAddress: SEEDED_MINTS.token2022 }),
  "launch.quote": (context) => ({ mintAddress: mint(context), amount: "1000000", swapBaseForQuote: false }),
  "launch.swap": (context) => ({ baseMint: mint(context), signer: SIGNER, amount: "1000", swapBaseForQuote: false }),
  "launch.claim": ({ random }) => {
    const { baseMint: mintAddress, creator: walletAddress } = oneOf(random, SEEDED_POOLS)
    return { walletAddress, mintAddress, ...(random(2) === 0 && { claims: ["trading_fee"] }) }
  },
  "launch.transferCreator": ({ random }) => {
    const { baseMint: mintAddress, creator: walletAddress } = oneOf(random, SEEDED_POOLS)
    return { walletAddress, mintAddress, newCreator: FUZZ_WALLET }
  },
  "tokens.verify": () => ({ verified: true }),
  "system.cordon": () => ({ reason: "fuzzed" }),
  "bridge.quote": ({ random }) => quoteBody({ dry: random(2) === 0 }),
  "bridge.deposit": ({ known }) => ({
    depositAddress: known.find("Bridge", "depositAddress"),
    txHash: sampleSignature(),
  }),
  // Nothing is sent there.
  "notifications.create": () => ({ url: "http://127.0.0.1:9/", types: ["trade"] }),
  "notifications.rotateSecret": ({ known }) => ({ endpointId: known.find("Notifications", "id") }),
  "notifications.test": ({ known }) => ({ endpointId: known.find("Notifications", "id") }),
  "notifications.redeliver": ({ known }) => ({ messageId: known.find("Notifications", "id") }),
  "notifications.redeliverFailed": ({ known }) => ({
    endpointId: known.find("Notifications", "id"),
    since: "2026-01-01",
  }),
}

/** The keys of webhook deliveries. */
export const FUZZ_SECRET = "secret-of-the-fuzzed-webhook"

/** The seeds of the local chain. */
export const FUZZ_KNOWN: Readonly<Record<string, object>> = {
  Tokens: Object.values(SEEDED_MINTS).map((mintAddress) => ({ mintAddress })),
  System: { endpoint: "primary" },
  Webhooks: { secret: FUZZ_SECRET },
  // Changes of the index at which the stream resumes.
  Stream: ["1", "3", "5"].map((lastEventId) => ({ lastEventId })),
  Launch: Object.values(SEEDED_MINTS).map((mintAddress) => ({ mintAddress, baseMint: mintAddress, quoteMint: SOL })),
}
