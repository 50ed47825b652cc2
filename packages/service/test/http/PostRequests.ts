import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Api } from "@launch-registry/domain/Api"
import { type Address, lamports } from "@solana/kit"
import { Effect } from "effect"
import sharp from "sharp"
import { quoteBody } from "../../../bridge/test/TestBridge.ts"
import { endpoint, messagesOf } from "../../../server/test/notifications/TestNotifications.ts"
import { fundedWallet, transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { formOf } from "../../../ipfs/test/images/UploadForms.ts"
import { sampleAddress, sampleSignature, tokenDraft, transactionDraft } from "../Samples.ts"
import { type RequestOptions, TestServer } from "../TestServer.ts"

/** Every POST that the contract declares. */
export const POST_ENDPOINTS = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints)
    .filter(({ method }) => method === "POST")
    .map((endpoint) => ({
      name: `${group.identifier}.${endpoint.identifier}`,
      path: endpoint.path as string,
      hasForm: [...endpoint.payload.values()].some(({ encoding }) => encoding._tag !== "Json"),
    })),
)

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
/** Nothing is sent there in these tests. */
const RECEIVER = "http://127.0.0.1:9/notifications"
const METADATA = { name: "Once", symbol: "ONCE", description: "d", imageUri: "https://example.com/i.png" }

const image = (color: string) =>
  Effect.promise(() =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
      .png()
      .toBuffer(),
  )

/** A request that succeeds, as sent each time, and one to the same endpoint with other values. */
export interface SamplePost {
  /** A form has another boundary each time it is generated. */
  readonly send: () => RequestOptions
  readonly other: () => RequestOptions
}

const json = (body: object, other: object): SamplePost => ({
  send: () => ({ json: body }),
  other: () => ({ json: { ...body, ...other } }),
})

const registered = Effect.gen(function* () {
  const { request } = yield* TestServer
  const draft = tokenDraft()
  yield* request("/api/tokens", { json: draft })
  return draft.mintAddress
})

/** A request for every POST by the name of its endpoint; add one for every new POST. `credentials`: of who owns endpoints. */
export const samplePosts = Effect.fnUntraced(function* (credentials: Readonly<Record<string, string>> = {}) {
  const { request } = yield* TestServer
  const rpc = yield* Rpc
  yield* Effect.orDie(rpc.call((kit) => kit.requestAirdrop(SIGNER as Address, lamports(10_000_000_000n))))
  const metadata = { metadata: METADATA, signer: SIGNER }
  const config = yield* request("/api/launch/dbc-config", { json: metadata })
  const { dbcConfigKeypair } = config.body.data
  const swap = yield* request("/api/bridge/quote", { json: quoteBody({ dry: false }) })
  const { depositAddress } = swap.body.data
  const [yellow, blue] = [yield* image("#fc0"), yield* image("#00f")]
  const { id: endpointId } = yield* endpoint(RECEIVER, {}, credentials)
  const { id: otherId } = yield* endpoint(RECEIVER, {}, credentials)
  for (let count = 0; count < 2; count++)
    yield* request("/api/notifications/test", { json: { endpointId }, headers: credentials })
  const [message, otherMessage] = yield* messagesOf(endpointId, "", credentials)
  const { getLatestBlockhash } = yield* Rpc
  const wallet = yield* fundedWallet
  const signed = yield* transferOf(wallet, yield* getLatestBlockhash)
  const otherSigned = yield* transferOf(wallet, yield* getLatestBlockhash)
  const trade = { amount: "1000000", swapBaseForQuote: false }
  const form = (bytes: Buffer) => () => ({ raw: formOf(bytes), method: "POST" })
  const posts: Readonly<Record<string, SamplePost>> = {
    "tokens.create": json(tokenDraft(), { name: "Another" }),
    "transactions.create": json(transactionDraft(), { amountIn: "2.5" }),
    "ipfs.uploadImage": { send: form(yellow), other: form(blue) },
    "ipfs.uploadMetadata": json(METADATA, { name: "Another" }),
    "launch.dbcConfig": json(metadata, { launchpad: "launchpad_b" }),
    "launch.deployToken": json({ ...metadata, dbcConfigKeypair }, { metadata: { ...METADATA, name: "Another" } }),
    "launch.create": json({ ...metadata, firstBuy: { amount: "1000000" } }, { launchpad: "launchpad_b" }),
    "launch.whitelist": json({ tokenAddress: yield* registered }, { tokenAddress: yield* registered }),
    "launch.unwhitelist": json({ tokenAddress: yield* registered }, { tokenAddress: yield* registered }),
    "launch.quote": json({ ...trade, mintAddress: SEEDED_MINTS.spl }, { amount: "1000001" }),
    "launch.swap": json({ ...trade, baseMint: SEEDED_MINTS.spl, signer: SIGNER, amount: "1000" }, { slippageBps: 50 }),
    "launch.claim": json(
      { walletAddress: SEEDED_POOLS[0]!.creator, mintAddress: SEEDED_MINTS.spl },
      { claims: ["trading_fee"] },
    ),
    "launch.transferCreator": json(
      { walletAddress: SEEDED_POOLS[0]!.creator, mintAddress: SEEDED_MINTS.spl, newCreator: sampleAddress() },
      { newCreator: sampleAddress() },
    ),
    "launch.submit": json({ transaction: signed.transaction }, { transaction: otherSigned.transaction }),
    "system.startJob": json({ kind: "backfill", fromSlot: "300000000", reason: "a gap" }, { fromSlot: "300000001" }),
    "bridge.quote": json(quoteBody({ dry: false }), { dry: true }),
    "bridge.deposit": json({ depositAddress, txHash: sampleSignature() }, { txHash: sampleSignature() }),
    "notifications.create": json({ url: RECEIVER, types: ["trade"] }, { types: ["token"] }),
    "notifications.rotateSecret": json({ endpointId }, { endpointId: otherId }),
    "notifications.test": json({ endpointId }, { endpointId: otherId }),
    "notifications.redeliver": json({ messageId: message.id }, { messageId: otherMessage.id }),
    "notifications.redeliverFailed": json({ endpointId, since: "2026-01-01" }, { since: "2026-01-02" }),
  }
  return posts
})

/** A new key. */
export const newKey = (): Readonly<Record<string, string>> => ({ "idempotency-key": `key-of-${sampleAddress()}` })
