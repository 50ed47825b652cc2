import { SEEDED_MINTS, SEEDED_POOLS } from "../../packages/chain/src/localnet/SeedAccounts.ts"
import type { ExampleRecorder } from "./ExampleRecorder.ts"

export const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
export const SOL = "So11111111111111111111111111111111111111112"
const MINT = SEEDED_MINTS.spl
/** Part of every local chain, so that readers can try the example. */
const CONFIG = SEEDED_POOLS.find(({ baseMint }) => baseMint === MINT)!.config
const POOL = "FxbiJ5RoUT5nVEBTSY5cRuUHe97Q9xAmCPT6UZaAQ1Na"
/** An address without an account. */
const NOWHERE = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
const UNKNOWN_ID = "0194d1a6-0000-7000-8000-000000000000"

/** A wallet with SOL. */
export const LAUNCHER = SEEDED_POOLS.find(({ baseMint }) => baseMint === SEEDED_MINTS.token2022)!.creator

/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const IMAGE_URI = "https://example.com/logo.png"
const METADATA = { name: "Tour Token", symbol: "TOUR", description: "Made on a tour", imageUri: IMAGE_URI }

/** The image, the document, and the two transactions of a launch. */
const launch = async (recorder: ExampleRecorder): Promise<void> => {
  const file = new File([Buffer.from(PNG, "base64")], "logo.png", { type: "image/png" })
  await recorder.ask("ipfs.uploadImage", {
    ...{ name: "logo", summary: "A PNG; the file is shown in base64", form: { image: file, fileName: "logo.png" } },
  })
  await recorder.ask("ipfs.uploadImage", {
    ...{ name: "noImage", summary: "A file that is no image", status: 415 },
    form: { image: new File(["just text"], "logo.png", { type: "image/png" }) },
  })
  const document = await recorder.ask("ipfs.uploadMetadata", {
    ...{ name: "document", summary: "The document of a token" },
    body: { ...METADATA, website: "https://example.com" },
  })
  await recorder.ask("ipfs.health", { name: "embedded", summary: "The embedded backend alone" })
  const { cid } = document.data
  await recorder.ask("gateway.content", {
    ...{ name: "document", summary: "The document of a token", path: { cid } },
  })
  await recorder.ask("gateway.content", {
    ...{ name: "unknown", summary: "Content that is not stored here", status: 404 },
    path: { cid: "bafkreifzjut3te7nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e" },
  })
  await recorder.ask("gateway.contentPath", {
    ...{ name: "belowFile", summary: "Nothing lies below a file", path: { cid, path: "logo.png" }, status: 404 },
  })
  await recorder.ask("launch.dbcConfig", {
    ...{ name: "preset", summary: "The preset of launchpad_a; the key was made for this example" },
    body: { signer: SIGNER, metadata: METADATA },
  })
  await recorder.ask("launch.dbcConfig", {
    ...{ name: "ownCurve", summary: "A curve of the caller's own: 2 % fee, 100 SOL to raise" },
    body: {
      ...{ signer: SIGNER, launchpad: "launchpad_b", metadata: METADATA },
      dbcConfig: {
        buildCurveMode: 0,
        buildCurveParam: { percentageSupplyOnMigration: 20, migrationQuoteThreshold: "100" },
        baseFeeParams: {
          baseFeeMode: 0,
          feeSchedulerParam: { startingFeeBps: 200, endingFeeBps: 200, numberOfPeriod: 0, totalDuration: 0 },
        },
        feeClaimer: SIGNER,
      },
    },
  })
  await recorder.ask("launch.dbcConfig", {
    ...{ name: "refused", summary: "What the DBC program would refuse", status: 400 },
    body: { signer: SIGNER, metadata: METADATA, dbcConfig: { tokenBaseDecimal: 12, partnerLpPercentage: 10 } },
  })
  await recorder.ask("launch.deployToken", {
    ...{ name: "token", summary: "With the public key of the configuration alone" },
    body: { signer: SIGNER, metadata: METADATA, dbcConfigKeypair: { publicKey: CONFIG } },
  })
  await recorder.ask("launch.deployToken", {
    ...{ name: "unknownConfig", summary: "A configuration that is not on chain", status: 404 },
    body: { signer: SIGNER, metadata: METADATA, dbcConfigKeypair: { publicKey: NOWHERE } },
  })
}

/** The same in one step. */
const oneStep = async (recorder: ExampleRecorder): Promise<void> => {
  const firstBuy = { amount: "1000000000", slippageBps: 50 }
  await recorder.ask("launch.create", {
    ...{
      name: "newConfig",
      summary: "With a new configuration and a first buy for 1 SOL; the key was made for this example",
    },
    body: { signer: LAUNCHER, metadata: METADATA, launchpad: "launchpad_a", firstBuy, priorityFee: "medium" },
  })
  await recorder.ask("launch.create", {
    ...{ name: "existingConfig", summary: "With an existing configuration and a mint whose key the client has" },
    body: { signer: LAUNCHER, metadata: METADATA, config: CONFIG, mintAddress: NOWHERE, firstBuy },
  })
  await recorder.ask("launch.create", {
    ...{ name: "emptyWallet", summary: "A wallet that cannot pay", status: 409 },
    body: { signer: SIGNER, metadata: METADATA, firstBuy },
  })
  await recorder.ask("launch.create", {
    ...{ name: "contradiction", summary: "A preset beside an existing configuration", status: 400 },
    body: { signer: LAUNCHER, metadata: METADATA, config: CONFIG, launchpad: "launchpad_b" },
  })
}

const draft = {
  ...{ name: "Test Token", symbol: "TEST", description: "Registered on a tour", totalSupply: "1000000000" },
  ...{ decimals: "6", mintAddress: MINT, owner: SIGNER, launchpad: "launchpad_a", tags: ["tour"] },
  website: "https://example.com",
  tokenConfig: { quoteMint: SOL, dbcConfig: { buildCurveMode: 1, totalTokenSupply: 1_000_000_000 } },
}

const tokens = async (recorder: ExampleRecorder): Promise<void> => {
  const created = await recorder.ask("tokens.create", {
    ...{ name: "launched", summary: "A token that is on chain", body: draft, status: 201 },
  })
  const { id } = created.data
  await recorder.ask("tokens.create", {
    ...{ name: "again", summary: "A mint that is registered", body: draft, status: 409 },
  })
  await recorder.ask("tokens.create", {
    ...{ name: "incomplete", summary: "A body with faults: each is named" },
    ...{ body: { name: "Nameless", decimals: "many" }, status: 400 },
  })
  await recorder.ask("tokens.list", {
    ...{ name: "page", summary: "A page of one", query: { launchpad: "launchpad_a", limit: "1" } },
  })
  await recorder.ask("tokens.list", {
    ...{ name: "market", summary: "With figures of the curve", query: { mintAddresses: MINT, include: "market" } },
  })
  await recorder.ask("tokens.list", {
    ...{ name: "trust", summary: "With facts to judge it by", query: { mintAddresses: MINT, include: "trust" } },
  })
  await recorder.ask("tokens.list", {
    ...{ name: "unknownPart", summary: "A part that tokens do not have", query: { include: "holders" }, status: 400 },
  })
  await recorder.ask("tokens.search", { name: "symbol", summary: "By symbol", query: { q: "test" } })
  await recorder.ask("tokens.popular", { name: "day", summary: "Of 24 hours" })
  await recorder.ask("tokens.popular", {
    ...{ name: "ranking", summary: "With what it is ranked by", query: { include: "ranking" } },
  })
  const mintAddress = MINT
  await recorder.ask("tokens.holders", {
    ...{ name: "addresses", summary: "Addresses, largest first", path: { mintAddress } },
  })
  await recorder.ask("tokens.holders", {
    ...{ name: "balances", summary: "With amounts and shares", path: { mintAddress }, query: { include: "balances" } },
  })
  await recorder.ask("tokens.holderCount", { name: "count", summary: "How many", path: { mintAddress } })
  await recorder.ask("tokens.trust", { name: "launched", summary: "A launched token", path: { mintAddress } })
  await recorder.ask("tokens.trust", {
    ...{ name: "unknown", summary: "No mint is there", path: { mintAddress: NOWHERE }, status: 404 },
  })
  await recorder.ask("tokens.verify", {
    ...{ name: "verified", summary: "By an operator", path: { id }, body: { verified: true, reason: "known issuer" } },
  })
  await recorder.ask("tokens.verify", {
    ...{ name: "renamed", summary: "It is called something else by now", path: { id }, status: 409 },
    body: { verified: true, name: "The name that was looked at" },
  })
  await recorder.ask("tokens.getByMint", { name: "token", summary: "A launched token", path: { address: MINT } })
  await recorder.ask("tokens.getByMint", {
    ...{ name: "unknown", summary: "A mint that is not registered", path: { address: NOWHERE }, status: 404 },
  })
  await recorder.ask("tokens.listByOwner", { name: "own", summary: "Of one wallet", path: { address: SIGNER } })
  await recorder.ask("tokens.getById", { name: "token", summary: "A launched token", path: { id } })
  await recorder.ask("tokens.getById", {
    ...{ name: "unknown", summary: "An id that no token has", path: { id: UNKNOWN_ID }, status: 404 },
  })
  await recorder.ask("tokens.update", {
    ...{ name: "texts", summary: "Another description, tags and a link", path: { id } },
    body: { description: "Changed on a tour", tags: ["tour", "changed"], twitter: "https://x.com/example" },
  })
  await recorder.ask("tokens.update", {
    ...{ name: "contradiction", summary: "A name that the chain contradicts", path: { id }, status: 409 },
    body: { name: "Another Name" },
  })
}

const pools = async (recorder: ExampleRecorder): Promise<void> => {
  const path = { mintAddress: MINT }
  const unknown = { name: "unknown", summary: "A mint without a pool", path: { mintAddress: NOWHERE }, status: 404 }
  const mintAddress = MINT
  const swap = { amount: "1000000000", swapBaseForQuote: false }
  await recorder.ask("launch.quote", {
    name: "buy",
    summary: "Buy for 1 SOL (10^9 lamports)",
    body: { mintAddress, ...swap },
  })
  await recorder.ask("launch.quote", {
    ...{ name: "sale", summary: "Sell 1,000,000 tokens of 6 decimals" },
    body: { mintAddress, amount: "1000000000000", swapBaseForQuote: true, slippageBps: 50 },
  })
  await recorder.ask("launch.quote", {
    ...{ name: "fraction", summary: "An amount that is not in smallest units" },
    body: { mintAddress, ...swap, amount: "0.5" },
    status: 400,
  })
  await recorder.ask("launch.swap", {
    ...{ name: "buy", summary: "Buy for 1 SOL; the wallet is empty, as simulation shows" },
    body: { baseMint: MINT, ...swap, signer: SIGNER, slippageBps: 100 },
  })
  await recorder.ask("launch.pools", {
    ...{ name: "aboutToGraduate", summary: "About to graduate, registered or not, with figures" },
    query: { sort: "progress", registered: "any", include: "market", limit: "1" },
  })
  await recorder.ask("launch.pools", {
    ...{ name: "anotherStage", summary: "An order that no launch of this stage has", status: 400 },
    query: { sort: "graduated", stage: "curve" },
  })
  await recorder.ask("launch.poolState", { name: "pool", summary: "A pool on the curve", path })
  await recorder.ask("launch.poolState", unknown)
  await recorder.ask("launch.poolConfig", { name: "pool", summary: "A curve of two segments against SOL", path })
  await recorder.ask("launch.poolMetadata", { name: "pool", summary: "Metadata of the token and of the pool", path })
  await recorder.ask("launch.curveProgress", { name: "pool", summary: "3 % raised", path })
  await recorder.ask("launch.candles", { name: "hours", summary: "By hour", path, query: { interval: "1h" } })
  const { data } = await recorder.ask("launch.trades", {
    ...{ name: "page", summary: "The newest two", path, query: { limit: "2" } },
  })
  await recorder.ask("launch.listTrades", {
    ...{ name: "trader", summary: "The newest of a wallet", query: { trader: data[0].trader, limit: "1" } },
  })
  await recorder.ask("wallets.tokens", {
    ...{ name: "traded", summary: "A wallet that has traded", path: { address: data[0].trader } },
  })
  await recorder.ask("wallets.balances", {
    ...{ name: "balances", summary: "SOL and a token", path: { address: data[0].trader } },
    query: { mintAddresses: MINT },
  })
  const whitelist = { body: { tokenAddress: MINT } }
  await recorder.ask("launch.unwhitelist", { name: "token", summary: "Swaps are refused from now on", ...whitelist })
  await recorder.ask("launch.swap", {
    ...{ name: "refused", summary: "A token that is not on the whitelist", status: 403 },
    body: { baseMint: MINT, ...swap, signer: SIGNER },
  })
  await recorder.ask("launch.whitelist", { name: "token", summary: "Swaps can be built again", ...whitelist })
  await recorder.ask("launch.whitelistState", {
    ...{ name: "token", summary: "A token on the whitelist", path: { mintAddress: MINT } },
  })
  await recorder.ask("launch.listWhitelist", {
    name: "page",
    summary: "The last decision first",
    query: { limit: "1" },
  })
  await recorder.ask("launch.whitelist", {
    ...{ name: "unknown", summary: "A token that is not registered", body: { tokenAddress: NOWHERE }, status: 404 },
  })
}

const records = async (recorder: ExampleRecorder): Promise<void> => {
  const trade = {
    ...{ userAddress: SIGNER, txHash: "tour-1", action: "BUY", baseToken: MINT, quoteToken: SOL },
    ...{ amountIn: "1", amountOut: "33540570.693545", pricePerToken: "0.0000000298146395", slippageBps: 100 },
    ...{ fee: "0.011998916", feeToken: SOL, status: "pending", chain: "solana", poolAddress: POOL },
  }
  const { transaction } = await recorder.ask("transactions.create", {
    ...{ name: "buy", summary: "A buy for 1 SOL, amounts in whole tokens", body: trade, status: 201 },
  })
  const path = { id: transaction.id }
  await recorder.ask("transactions.updateStatus", {
    ...{ name: "success", summary: "It went well", path, body: { status: "success" } },
  })
  await recorder.ask("transactions.updateStatus", {
    ...{ name: "ended", summary: "It has ended already", path, body: { status: "failed" }, status: 409 },
  })
  await recorder.ask("transactions.list", {
    ...{ name: "page", summary: "Trades of one wallet", query: { userAddress: SIGNER, action: "BUY", limit: "1" } },
  })
  await recorder.ask("transactions.listByUser", { name: "own", summary: "Of one wallet", path: { address: SIGNER } })
  await recorder.ask("transactions.listByToken", { name: "token", summary: "Of one token", path: { address: MINT } })
  await recorder.ask("transactions.getById", { name: "buy", summary: "A buy that went well", path })
  await recorder.ask("transactions.remove", { name: "record", summary: "A record", path })
  await recorder.ask("transactions.getById", { name: "deleted", summary: "A deleted record", path, status: 404 })
}

/** The calls of a dApp, from one to the other: a launch, the registry, trades, and reads. */
export const marketStory = async (recorder: ExampleRecorder): Promise<void> => {
  await launch(recorder)
  await oneStep(recorder)
  await tokens(recorder)
  await pools(recorder)
  await records(recorder)
  const { data } = await recorder.ask("tokens.search", {
    name: "owner",
    summary: "Of one wallet",
    query: { q: "te", owner: SIGNER },
  })
  await recorder.ask("tokens.remove", { name: "token", summary: "A token", path: { id: data[0].id } })
}
