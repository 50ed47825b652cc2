import { Api } from "@launch-registry/domain/Api"
import { WEBHOOK_PATH } from "@launch-registry/domain/webhooks/WebhookPath"
import { FindMyWay, type HttpServerRequest } from "effect/http"
import { EXACT_ROUTES } from "../requests/RequestEdge.ts"

type Groups = typeof Api.groups
type Weights = { readonly [Group in keyof Groups]?: { readonly [Id in keyof Groups[Group]["endpoints"]]?: number } }

/** Requests that do not count. */
const EXEMPT = [
  // A refused probe would take a working replica out of service, and a refused scrape would hide why.
  ["GET", "/livez"],
  ["GET", "/readyz"],
  ["GET", "/metrics"],
  // Content never changes, so caches answer for it; wallets and gateways read it for many users at once.
  ["GET", "/ipfs/*"],
  // Authenticated by its secret, and what is refused is missing from the index until the next comparison.
  ["POST", WEBHOOK_PATH],
] as const

/** Routes outside of the contract: they count as what they read does there, or for what is drawn. */
const OTHERS = [
  ["POST", "/compat/datapi/v1/pools/gems", 9],
  ["GET", "/compat/datapi/v1/pools", 3],
  ["GET", "/compat/datapi/v1/txs/:mint", 3],
  ["GET", "/compat/datapi/v1/holders/:mint", 10],
  ["GET", "/compat/datapi/v2/charts/:mint", 2],
  ["GET", "/compat/datapi/ws", 5],
  ["GET", "/t/:mint/image.png", 5],
] as const

/** How often a request counts, by its endpoint; once where nothing else is said. */
const WEIGHTS = {
  // Lists are streamed whole without a `limit`, and a search runs queries for each rank.
  tokens: {
    list: 3,
    listByOwner: 3,
    popular: 2,
    search: 5,
    holders: 10,
    holderCount: 10,
    trust: 10,
    create: 3,
    update: 2,
    verify: 2,
  },
  transactions: { list: 3, listByUser: 3, listByToken: 3, create: 2 },
  // A body of up to 15 MB that is decoded, and is stored for good.
  ipfs: { uploadImage: 20, uploadMetadata: 5 },
  launch: {
    // Several calls to the chain each; a swap is simulated as well, and what is submitted is sent again and again.
    submit: 10,
    ...{ dbcConfig: 10, deployToken: 10, create: 20, swap: 10, claim: 10, transferCreator: 10, quote: 5 },
    ...{ whitelist: 2, unwhitelist: 2 },
    ...{ candles: 2, trades: 2, listTrades: 3, claims: 3, creator: 5, listWhitelist: 2, pools: 3 },
  },
  // Thousands of trades are looked through, and the chain is asked; deriving a hundred token accounts takes a twentieth of a second.
  wallets: { tokens: 10, balances: 5 },
  // The swap service limits the requests of all clients together.
  bridge: { quote: 10, deposit: 5, status: 2, swaps: 3 },
  audit: { list: 3 },
  // All trades of a range are added up.
  analytics: { volume: 20, tokens: 20, traders: 20 },
  // A segment of the log is read for the bytes of one transaction.
  system: { deadLetters: 3, deadLetter: 10, poison: 3, startJob: 5 },
  // The host is resolved; and what is queued costs requests of ours.
  notifications: {
    ...{ create: 10, update: 5, rotateSecret: 2, test: 5, redeliver: 5, redeliverFailed: 10 },
    ...{ list: 3, messages: 3 },
  },
  // A subscriber holds its connection.
  stream: { changes: 5 },
} satisfies Weights

/** How often a request counts, found as the router finds its route. None counts more often than the limit allows. */
export const requestWeights = (limit: number) => {
  const weights = FindMyWay.make<number>(EXACT_ROUTES)
  for (const [method, path] of EXEMPT) weights.on(method, path, 0)
  for (const [method, path, weight] of OTHERS) weights.on(method, path, Math.min(weight, limit))
  for (const [group, ofGroup] of Object.entries(WEIGHTS))
    for (const [id, weight] of Object.entries(ofGroup)) {
      const endpoints: Readonly<Record<string, { readonly method: string; readonly path: string }>> =
        Api.groups[group as keyof Groups].endpoints
      const { method, path } = endpoints[id]!
      weights.on(method, path as FindMyWay.PathInput, Math.min(weight, limit))
    }
  return ({ method, url }: Pick<HttpServerRequest.HttpServerRequest, "method" | "url">): number =>
    weights.find(method === "HEAD" ? "GET" : method, url)?.handler ?? 1
}
