import { Agent, createServer, get, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import type { GeneratedBlock } from "../../packages/indexer/fixtures/GeneratedModel.ts"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../packages/indexer/test/StandInCluster.ts"
import { noisePng } from "../../packages/service/test/NoisePng.ts"

/**
 * `TrafficMain.ts <transactions a second> <readers> <minutes>`: a node with a generated chain, Helius, which posts each transaction by
 * itself, readers of streams, and clients that search, read pages and upload. It says the URL of its node; told the URLs of processes it
 * begins, and answers any further message with what it counted.
 */
export interface Traffic {
  /** Transactions that were acknowledged, and those given up after the last try. */
  readonly delivered: number
  readonly lost: number
  /** Events that readers have read, and how often one had to connect again. */
  readonly events: number
  readonly reconnects: number
  /** By kind of request and status; 0 for no answer. */
  readonly answers: Readonly<Record<string, number>>
}

const SECRET = "the-secret-of-the-life-cycle-bench"
const SLOT_MILLIS = 400
/** Confirmed slots that are not final yet, and final ones that the node still has. */
const FINAL_AFTER = 32
const KEPT_SLOTS = 300
const TRIES = 4
const RETRY_MILLIS = 1_000
/** Of the readers, those that follow all trades; others follow one mint each. */
const WHOLE_STREAMS = 0.1
const READS_EVERY_MILLIS = 50
const UPLOAD_EVERY_MILLIS = 5_000
const IMAGE_SIDE = 180

const [rate, readers, minutes] = process.argv.slice(2).map(Number) as [number, number, number]
const agent = new Agent({ keepAlive: true, maxSockets: 128 })
const counted = { delivered: 0, lost: 0, events: 0, reconnects: 0, answers: {} as Record<string, number> }
const cluster = new StandInCluster()
const node = createServer((call, response) => {
  let text = ""
  call.on("data", (chunk) => (text += chunk)).on("end", () => cluster.answer(JSON.parse(text), response))
})

const answered = (kind: string, status: number): number => {
  const key = `${kind} ${status}`
  counted.answers[key] = (counted.answers[key] ?? 0) + 1
  return status
}

const asked = (kind: string, url: string, headers: Record<string, string> = {}, body?: string) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve) => {
    const failed = () => resolve({ status: answered(kind, 0), text: "" })
    const options = { agent, headers, method: body === undefined ? "GET" : "POST" }
    request(url, options, (answer) => {
      let text = ""
      answer.on("data", (chunk) => (text += chunk)).on("error", failed)
      answer.on("end", () => resolve({ status: answered(kind, answer.statusCode!), text }))
    })
      .on("error", failed)
      .end(body)
  })

const deliver = async (urls: ReadonlyArray<string>, body: string, first: number): Promise<void> => {
  const headers = { "content-type": "application/json", authorization: SECRET }
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await pause(RETRY_MILLIS)
    const url = `${urls[(first + tries) % urls.length]}/api/webhooks/helius`
    if ((await asked("webhook", url, headers, body)).status === 200) return void counted.delivered++
  }
  counted.lost++
}

/** Lands a slot, and posts its transactions in the time until the next one. */
const land = (urls: ReadonlyArray<string>, { slot, transactions, ...block }: GeneratedBlock): void => {
  cluster.put([{ ...block, slot, transactions }]).finalize(slot - FINAL_AFTER)
  cluster.confirmedSlot = slot
  cluster.prune(slot - KEPT_SLOTS)
  for (const [at, one] of transactions.entries())
    setTimeout(() => void deliver(urls, JSON.stringify([one]), slot + at), (at * SLOT_MILLIS) / transactions.length)
}

const mints: Array<string> = []
const anyMint = (): string | undefined => mints[Math.floor(Math.random() * mints.length)]

/** Reads a stream for good; a mint of its own once there are any. */
const follow = async (urls: ReadonlyArray<string>, reader: number): Promise<never> => {
  const isWhole = reader < readers * WHOLE_STREAMS
  for (;;) {
    const mint = anyMint()
    const query = isWhole || mint === undefined ? "types=trade" : `mintAddresses=${mint}`
    await new Promise<void>((resolve) => {
      const read = (answer: IncomingMessage) => {
        answered("stream", answer.statusCode!)
        answer.on("data", (chunk: Buffer) => {
          for (let at = chunk.indexOf("\ndata:"); at !== -1; at = chunk.indexOf("\ndata:", at + 1)) counted.events++
        })
        answer.on("error", () => resolve()).on("close", () => resolve())
      }
      get(`${urls[reader % urls.length]}/api/stream?${query}`, { agent: false }, read).on("error", () => resolve())
    })
    counted.reconnects++
    await pause(RETRY_MILLIS)
  }
}

const hoursAgo = (hours: number): string =>
  new Date(Math.floor(Date.now() / 3_600_000 + 1 - hours) * 3_600_000).toISOString()
const WORDS = ["mo", "dog", "moon", "cat", "pepe", "a", "token", "solana"]
const PAGES: ReadonlyArray<() => string> = [
  () => `/api/tokens/search?q=${WORDS[Math.floor(Math.random() * WORDS.length)]}`,
  () => "/api/launch/pools?include=market&limit=40",
  () => "/api/launch/pools?sort=progress&stage=curve&limit=40",
  () => "/api/tokens/popular?interval=24h",
  () => `/api/tokens/mint/${anyMint()}`,
  () => `/api/launch/pool/${anyMint()}/candles?interval=1m`,
  () => `/api/launch/pool/${anyMint()}/trades`,
  () => `/api/tokens/holders/${anyMint()}`,
  () => "/api/launch/trades",
  () => `/api/analytics/tokens?from=${hoursAgo(6)}&to=${hoursAgo(0)}`,
]

const readPages = async (urls: ReadonlyArray<string>): Promise<never> => {
  for (let at = 0; ; at++) {
    await pause(READS_EVERY_MILLIS)
    if (at % 200 === 0) {
      const { text } = await asked("launches", `${urls[0]}/api/launch/pools?limit=100`)
      const launches = text === "" ? [] : (JSON.parse(text).data as ReadonlyArray<{ readonly mintAddress: string }>)
      for (const { mintAddress } of launches) if (!mints.includes(mintAddress)) mints.push(mintAddress)
    }
    const path = PAGES[at % PAGES.length]!()
    const kind = path.split("?")[0]!.replace(/[1-9A-HJ-NP-Za-km-z]{32,44}/, "{mint}")
    if (!path.includes("undefined")) void asked(kind, `${urls[at % urls.length]}${path}`)
  }
}

const upload = async (urls: ReadonlyArray<string>): Promise<never> => {
  for (let at = 1; ; at++) {
    await pause(UPLOAD_EVERY_MILLIS)
    const form = new FormData()
    form.set("image", new Blob([noisePng(at, IMAGE_SIDE)], { type: "image/png" }), "image.png")
    await fetch(`${urls[at % urls.length]}/api/ipfs/upload-image`, { method: "POST", body: form }).then(
      async (answer) => answered("upload", answer.status) + (await answer.arrayBuffer()).byteLength,
      () => answered("upload", 0),
    )
  }
}

const begin = async (urls: ReadonlyArray<string>): Promise<void> => {
  const slots = (minutes * 60_000) / SLOT_MILLIS
  const transactionsPerSlot = (rate * SLOT_MILLIS) / 1_000
  const firstBlockTime = Math.floor(Date.now() / 1_000)
  for (let reader = 0; reader < readers; reader++) void follow(urls, reader)
  void readPages(urls)
  void upload(urls)
  const from = performance.now()
  let slot = 0
  for (const block of generateBlocks({ seed: 1, slots, transactionsPerSlot, firstBlockTime })) {
    const wait = from + slot++ * SLOT_MILLIS - performance.now()
    if (wait > 0) await pause(wait)
    land(urls, block)
  }
}

node.listen(0, "127.0.0.1", () => process.send!(`http://127.0.0.1:${(node.address() as AddressInfo).port}`))
let hasBegun = false
process.on("message", (urls: ReadonlyArray<string>) => {
  if (hasBegun) return void process.send!(counted)
  hasBegun = true
  void begin(urls)
})
process.on("disconnect", () => process.exit())
