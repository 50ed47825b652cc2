import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { quoteBody } from "../../packages/bridge/test/TestBridge.ts"
import { sampleAddress, sampleSignature, sampleWallet } from "../../packages/service/test/Samples.ts"
import { ownerOf } from "../scale/ManyTokens.ts"
import { get, type OperationScene, scene, type SceneFacts, sent } from "./AttackRequests.ts"

export const LONG = "d".repeat(5_000)
export const METADATA = { name: "Walked", symbol: "WALK", description: LONG }
const READS_OF_POOL = ["state", "config", "metadata", "curve-progress"]

/** What costs the most of the operations below /api/launch and /api/bridge. */
export const launchScenes = ({ funded, mints, signed, tradedMint }: SceneFacts): ReadonlyArray<OperationScene> => {
  const mint = (nth: number) => mints[nth % mints.length]!
  const trade = { baseMint: SEEDED_MINTS.spl, amount: "1000000", swapBaseForQuote: false }
  return [
    scene("POST /api/launch/dbc-config", "16 weights, a key", 20, (nth) =>
      sent(
        "POST",
        "/api/launch/dbc-config",
        {
          metadata: METADATA,
          signer: sampleWallet(),
          priorityFee: "high",
          dbcConfig: {
            buildCurveMode: 3,
            buildCurveParam: {
              initialMarketCap: "30",
              migrationMarketCap: "300",
              liquidityWeights: Array.from({ length: 16 }, (_, each) => 1.2 ** each),
            },
          },
        },
        { "idempotency-key": `walked-by-an-attacker-${nth}-${Math.random()}` },
      ),
    ),
    scene("POST /api/launch/create, POST /api/launch/deploy-token", "a launch with a first buy", 20, (nth) =>
      sent("POST", "/api/launch/create", {
        metadata: { ...METADATA, name: `Created ${nth}` },
        signer: funded,
        priorityFee: "high",
        firstBuy: { amount: "1000000" },
      }),
    ),
    scene("POST /api/launch/quote", "of a pool that is known", 50, () => sent("POST", "/api/launch/quote", trade)),
    scene("POST /api/launch/quote", "of mints without a pool", 50, () =>
      sent("POST", "/api/launch/quote", { ...trade, baseMint: sampleAddress() }),
    ),
    scene("POST /api/launch/swap", "simulated, of new wallets", 30, () =>
      sent("POST", "/api/launch/swap", { ...trade, signer: sampleWallet(), simulate: true, priorityFee: "high" }),
    ),
    scene("POST /api/launch/claim, GET /api/launch/pool/{mintAddress}/fees", "fees of a pool", 50, () =>
      sent("POST", "/api/launch/claim", {
        walletAddress: SEEDED_POOLS[0]!.creator,
        mintAddress: SEEDED_MINTS.spl,
        priorityFee: "high",
      }),
    ),
    scene("POST /api/launch/submit", "of a wallet without SOL, on unknown blockhashes", 50, (nth) =>
      sent("POST", "/api/launch/submit", { transaction: signed[nth % signed.length] }),
    ),
    scene("POST /api/launch/submit, GET /api/launch/submissions/{signature}", "no transaction", 50, (nth) =>
      sent("POST", "/api/launch/submit", { transaction: Buffer.alloc(1_232, nth).toString("base64") }),
    ),
    scene(
      READS_OF_POOL.flatMap((part) => [
        `GET /api/launch/pool/{mintAddress}/${part}`,
        `GET /api/launch/pool/${part}/{mintAddress}`,
      ]).join(", "),
      "mints without a pool",
      50,
      () => get(`/api/launch/pool/${sampleAddress()}/state`),
    ),
    scene("GET /api/launch/pool/{mintAddress}/state", "addresses of many transactions", 20, (nth) =>
      get(
        `/api/launch/pool/${[SEEDED_POOLS[0]!.pool, SEEDED_POOLS[1]!.pool, SEEDED_POOLS[0]!.config, SEEDED_POOLS[1]!.creator][nth % 4]}/state`,
      ),
    ),
    scene("GET /api/launch/pools", "pages of 1,000 with market and trust", 8, (nth) =>
      get(`/api/launch/pools?registered=any&limit=${1_000 - nth}&include=market,trust`),
    ),
    scene("GET /api/launch/pools", "of a creator and a stage", 50, (nth) =>
      get(`/api/launch/pools?registered=any&creator=${ownerOf(nth)}&stage=curve&limit=100`),
    ),
    scene("GET /api/launch/pool/{mintAddress}/candles", "1,000 of a day", 30, (nth) =>
      get(`/api/launch/pool/${tradedMint}/candles?interval=1d&limit=${1_000 - nth}`),
    ),
    scene("GET /api/launch/pool/{mintAddress}/candles", "1,000 merged from minutes", 30, (nth) =>
      get(`/api/launch/pool/${tradedMint}/candles?interval=15m&limit=${1_000 - nth}&figure=marketCap`),
    ),
    scene("GET /api/launch/pool/{mintAddress}/trades", "pages of 1,000", 20, (nth) =>
      get(`/api/launch/pool/${tradedMint}/trades?limit=${1_000 - nth}`),
    ),
    scene("GET /api/launch/trades", "of a side within a day, pages of 1,000", 20, (nth) =>
      get(`/api/launch/trades?side=SELL&venue=damm_v2&limit=${1_000 - nth}&from=2026-01-01&to=2027-01-01`),
    ),
    scene("GET /api/launch/claims", "of a wallet", 50, (nth) =>
      get(`/api/launch/claims?walletAddress=${ownerOf(nth)}&limit=1000`),
    ),
    scene("GET /api/launch/creators/{address}", "of a hundred launches", 50, (nth) =>
      get(`/api/launch/creators/${ownerOf(nth)}`),
    ),
    scene("POST /api/launch/whitelist, POST /api/launch/unwhitelist", "other tokens each time", 50, (nth) =>
      sent("POST", "/api/launch/whitelist", { tokenAddress: mint(nth) }),
    ),
    scene("GET /api/launch/whitelist, GET /api/launch/whitelist/{tokenAddress}", "pages of 1,000", 50, (nth) =>
      get(`/api/launch/whitelist?limit=${1_000 - nth}`),
    ),
    scene("GET /api/bridge/tokens", "other words each time", 50, (nth) => get(`/api/bridge/tokens?search=a${nth}`)),
    scene("POST /api/bridge/quote", "dry", 50, () => sent("POST", "/api/bridge/quote", quoteBody({ dry: true }))),
    scene("POST /api/bridge/quote", "with a deposit address", 50, () =>
      sent("POST", "/api/bridge/quote", quoteBody({ dry: false })),
    ),
    scene("POST /api/bridge/deposit, GET /api/bridge/status/{depositAddress}", "of unknown addresses", 50, () =>
      sent("POST", "/api/bridge/deposit", { depositAddress: sampleAddress(), txHash: sampleSignature() }),
    ),
    scene("GET /api/bridge/swaps, GET /api/bridge/swaps/{id}", "pages of 1,000", 50, (nth) =>
      get(`/api/bridge/swaps?limit=${1_000 - nth}&needsReview=false`),
    ),
  ]
}
