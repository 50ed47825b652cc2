import { tokenDraft, transactionDraft } from "../../packages/service/test/Samples.ts"
import { COMMON_TAG, ownerOf, WORDS } from "../scale/ManyTokens.ts"
import * as bodies from "./AttackBodies.ts"
import { form, get, JSON_TYPE, type OperationScene, scene, type SceneFacts, sent } from "./AttackRequests.ts"
import { launchScenes, LONG, METADATA } from "./LaunchScenes.ts"

const MEGABYTE = Buffer.alloc(1_000_000, " ")
const SLASHES = Array(16).fill("launchpad").join("/")
const words = (nth: number) => `${WORDS[nth % WORDS.length]} ${WORDS[(nth * 7 + 3) % WORDS.length]}`

/** Every operation that a stranger can call, each with what costs the most. */
export const operationScenes = (facts: SceneFacts): ReadonlyArray<OperationScene> => {
  const { cid, mints, tokenIds } = facts
  const mint = (nth: number) => mints[nth % mints.length]!
  const id = (nth: number) => tokenIds[nth % tokenIds.length]!
  const hundred = (nth: number) => Array.from({ length: 100 }, (_, each) => mint(nth * 100 + each)).join(",")
  return [
    scene("GET /livez, GET /readyz", "readiness", 200, () => get("/readyz")),
    scene("GET /", "health", 100, () => get("/")),
    scene("GET /", "health as a page", 100, () => get("/", { accept: "text/html" })),
    scene("GET /metrics", "a scrape", 100, () => get("/metrics")),
    scene("GET /api/system/rpc, GET /api/system/indexer", "the report of the indexer", 100, () =>
      get("/api/system/indexer"),
    ),
    scene("", "unknown paths of 16 KB", 200, (nth) => get(`/api/${nth}/${"x".repeat(15_000)}`)),
    scene("", "1,500 unknown parameters", 100, (nth) =>
      get(
        `/api/tokens?${Array.from({ length: 1_500 }, (_, each) => `q${nth}${each}=1`)
          .join("&")
          .slice(0, 15_000)}`,
      ),
    ),
    scene("", "If-None-Match of 16 KB", 100, (nth) =>
      get(`/api/tokens/${id(nth)}`, {
        "if-none-match": Array(1_000).fill(`W/"abcdefghij"`).join(",").slice(0, 15_000),
      }),
    ),
    scene("", "preflights", 200, (nth) => ({
      method: "OPTIONS",
      path: `/api/tokens/${nth}`,
      headers: {
        origin: "https://a.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "a,".repeat(5_000),
      },
    })),
    scene("", "HEAD of the whole list", 100, () => ({ method: "HEAD", path: "/api/tokens" })),
    scene("", "the document of the API", 50, () => get("/openapi.json")),
    scene("", "the page of the console, by br", 100, () => get("/console", { "accept-encoding": "br" })),
    scene("GET /api/tokens", "pages of 1,000 with market and trust, 5,000 characters each", 8, (nth) =>
      get(`/api/tokens?limit=${1_000 - nth}&include=market,trust`),
    ),
    scene("GET /api/tokens", "the whole list", 4, () => get("/api/tokens?include=market,trust")),
    scene("GET /api/tokens", "100 mints with market and trust", 50, (nth) =>
      get(`/api/tokens?mints=${hundred(nth)}&include=market,trust`),
    ),
    scene("GET /api/tokens", "a tag that all have and filters that none has", 50, (nth) =>
      get(`/api/tokens?tag=${COMMON_TAG}&active=false&verified=true&limit=100&offset=${nth}`),
    ),
    scene("GET /api/tokens/address/{address}", "pages of 100 of an owner and a tag", 50, (nth) =>
      get(`/api/tokens/address/${ownerOf(nth)}?tag=${COMMON_TAG}&limit=100&include=market,trust`),
    ),
    scene("GET /api/tokens/search", "two common words, pages of 1,000", 50, (nth) =>
      get(`/api/tokens/search?q=${encodeURIComponent(words(nth))}&limit=1000`),
    ),
    scene("GET /api/tokens/search", "two letters, offset 10,000", 50, (nth) =>
      get(`/api/tokens/search?q=${WORDS[nth % 30]!.slice(0, 2)}&limit=100&offset=${9_900 + nth}`),
    ),
    scene("GET /api/tokens/search", "200 signs", 50, (nth) =>
      get(`/api/tokens/search?q=${encodeURIComponent("%_\\".repeat(60) + String(nth))}&limit=100`),
    ),
    scene("GET /api/tokens/search", "200 letters of common words, filtered", 50, (nth) =>
      get(
        `/api/tokens/search?q=${encodeURIComponent(`${"ba".repeat(98)}${nth}`)}&active=false&verified=true&limit=100`,
      ),
    ),
    scene("GET /api/tokens/popular", "a hundred of a filter that hardly matches", 50, (nth) =>
      get(
        `/api/tokens/popular?interval=7d&active=false&limit=100&include=market,trust,ranking&startDate=2020-01-01T00:00:${String(nth % 60).padStart(2, "0")}Z`,
      ),
    ),
    scene("GET /api/tokens/mint/{address}, GET /api/tokens/{id}", "with market and trust", 100, (nth) =>
      get(`/api/tokens/${id(nth)}?include=market,trust`),
    ),
    scene("POST /api/tokens", "5,000 characters, 20 tags", 50, () =>
      sent(
        "POST",
        "/api/tokens",
        tokenDraft({ description: LONG, tags: Array.from({ length: 20 }, (_, each) => `${each}${"t".repeat(60)}`) }),
      ),
    ),
    scene("POST /api/tokens", "a body of 1 MB and one key", 20, () => form(bodies.longKey)),
    scene("POST /api/tokens", "9,900 invalid tags", 20, () => form(bodies.fewerTags)),
    scene(
      "PATCH /api/tokens/{id}, DELETE /api/tokens/{id}, PUT /api/tokens/{id}/verified",
      "a new description and 20 tags",
      50,
      (nth) =>
        sent("PATCH", `/api/tokens/${id(nth)}`, {
          description: `${LONG.slice(10)}${nth}`,
          tags: Array.from({ length: 20 }, (_, each) => `${nth}-${each}`),
        }),
    ),
    scene(
      "POST /api/transactions, PATCH /api/transactions/{id}/status, DELETE /api/transactions/{id}",
      "records, with keys",
      50,
      (nth) =>
        sent("POST", "/api/transactions", transactionDraft(), {
          "idempotency-key": `walked-by-an-attacker-${nth}-${Math.random()}`,
        }),
    ),
    scene(
      "GET /api/transactions, GET /api/transactions/user/{address}, GET /api/transactions/token/{address}, GET /api/transactions/{id}",
      "pages of 1,000, offset 10,000",
      20,
      (nth) => get(`/api/transactions?limit=1000&offset=${9_000 + nth}&status=success`),
    ),
    scene("POST /api/ipfs/upload-metadata", "a document of 5,000 characters", 30, (nth) =>
      sent("POST", "/api/ipfs/upload-metadata", { ...METADATA, name: `Walked ${nth}` }),
    ),
    scene("GET /api/ipfs/health", "its report", 100, () => get("/api/ipfs/health")),
    scene("GET /ipfs/{cid}, GET /ipfs/{cid}/{path}", "a file of 360 kB", 20, () => get(`/ipfs/${cid}`)),
    scene("GET /ipfs/{cid}", "one byte of it", 100, (nth) =>
      get(`/ipfs/${cid}`, { range: `bytes=${100_000 + nth}-${100_000 + nth}` }),
    ),
    scene("GET /ipfs/{cid}", "its CAR, with duplicates", 20, () => get(`/ipfs/${cid}?format=car&car-dups=y`)),
    scene("GET /ipfs/{cid}", "an absent CID and a path of 256 characters", 100, () =>
      get(`/ipfs/bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku/${SLASHES}`),
    ),
    ...launchScenes(facts),
    scene("POST /api/webhooks/helius", "1 MB with a wrong secret", 30, () => ({
      method: "POST",
      path: "/api/webhooks/helius",
      headers: { ...JSON_TYPE, authorization: "a secret that is wrong" },
      body: MEGABYTE,
    })),
    scene(
      "GET /api/analytics/volume, GET /api/analytics/tokens, GET /api/analytics/traders",
      "without HISTORY_URL",
      50,
      () => get("/api/analytics/volume?from=2026-01-01&to=2026-02-01"),
    ),
    scene(
      "POST /api/notifications/endpoints, GET /api/notifications/endpoints, GET /api/notifications/endpoints/{id}, PATCH /api/notifications/endpoints/{id}, DELETE /api/notifications/endpoints/{id}, POST /api/notifications/rotate-secret, POST /api/notifications/test, GET /api/notifications/endpoints/{id}/messages, POST /api/notifications/redeliver-failed, GET /api/notifications/messages/{id}, POST /api/notifications/redeliver",
      "switched off",
      50,
      () => sent("POST", "/api/notifications/endpoints", { url: "https://a.example/", types: ["trade"] }),
    ),
    scene(
      "PUT /api/system/rpc/{endpoint}/cordon, DELETE /api/system/rpc/{endpoint}/cordon, POST /api/system/indexer/jobs, GET /api/system/indexer/jobs, DELETE /api/system/indexer/jobs/{id}, GET /api/system/indexer/dead-letters, GET /api/system/indexer/dead-letters/{id}, GET /api/system/indexer/poison, GET /api/system/audit",
      "for operators alone",
      50,
      () => get("/api/system/indexer/dead-letters?limit=1000"),
    ),
  ]
}

/** Measured elsewhere: streams, and what has its own bench. */
export const MEASURED_ELSEWHERE: Readonly<Record<string, string>> = {
  "GET /api/stream": "event streams",
  "GET /api/tokens/holders/{mintAddress}": "bench/lifecycle/Holders.ts",
  "GET /api/tokens/holders/{mintAddress}/count": "bench/lifecycle/Holders.ts",
  "GET /api/tokens/trust/{mintAddress}": "bench/lifecycle/Holders.ts",
  "POST /api/ipfs/upload-image": "bench/ipfs/Storm.ts",
}
