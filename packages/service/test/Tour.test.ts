import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { sourceFile } from "./CommandFile.ts"
import { answering, freePort, run, type Running } from "./RunningService.ts"
import { untilAnswer } from "./UntilAnswer.ts"

/** A wallet, and a launch that the local chain starts with. */
const WALLET = "4ouPNnXt2xqrcJNreedepDoFpkERGaGhPNRJ5Y8GsAwh"
const MINT = "FtbDd5hEV1eeTTHxXqczHgBcKq5GpsVFpuYNfdWsZMNM"
const METADATA = { name: "First Token", symbol: "FIRST", description: "", imageUri: "https://example.com/logo.png" }
/** A running service to take the tour of, such as the container of `scripts/container-check`. */
const GIVEN_URL = process.env.TOUR_URL
/** A new data folder and a first start, on a busy machine. */
const START_MILLIS = 300_000

/** A human reader is slower than the index; this test is not, so it waits until slots are proven. */
const untilProven = (url: string) => untilAnswer(`${url}/api/system/indexer`, ({ data }) => data.watermarkSlot !== null)

/** What the tour looks at of the answers. */
interface Answer {
  readonly metadataUri: string
  readonly dbcConfigKeypair: { readonly publicKey: string }
  readonly uri: string
  readonly pool: string
  readonly quote: { readonly priceBefore: string }
  readonly simulation: object
  readonly [row: number]: object
}

describe("The tour", () => {
  let folder = ""
  let service: Running | undefined
  let url = GIVEN_URL ?? ""

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "registry-tour-"))
    if (GIVEN_URL !== undefined) return untilProven(url)
    const port = await freePort()
    url = `http://localhost:${port}`
    const environment = {
      DATA_FOLDER: folder,
      PORT: String(port),
      PROGRAMS_FOLDER: join(folder, "none"),
      PUBLIC_URL: "http://localhost:3001",
    }
    // As README starts it; tests of other processes start from a bundle.
    service = run(environment, sourceFile("service"))
    await answering(service, url)
    await untilProven(url)
  }, START_MILLIS)

  afterAll(async () => {
    service?.process.kill("SIGTERM")
    await service?.ended
    rmSync(folder, { recursive: true, force: true })
  })

  const answered = async (path: string, body?: object) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
    const answer = (await (await fetch(`${url}${path}`, body && init)).json()) as {
      readonly success: boolean
      readonly data: Answer
    }
    assert.isTrue(answer.success, `${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }

  it("takes metadata, builds a launch, registers a token, quotes a swap and has its candles", async () => {
    const uploaded = await answered("/api/ipfs/upload-metadata", METADATA)
    assert.match(uploaded.metadataUri, /\/ipfs\/bafkrei/)
    const { dbcConfigKeypair } = await answered("/api/launch/dbc-config", { signer: WALLET, metadata: METADATA })
    const { publicKey } = dbcConfigKeypair
    const launch = { signer: WALLET, metadata: METADATA, dbcConfigKeypair: { publicKey } }
    assert.strictEqual((await answered("/api/launch/deploy-token", launch)).uri, uploaded.metadataUri)
    const token = await answered("/api/tokens", {
      ...{ mintAddress: MINT, owner: WALLET, name: "Test Token", symbol: "TEST", description: "", decimals: 6 },
      ...{ totalSupply: "1000000000", launchpad: "launchpad_a" },
      tokenConfig: { quoteMint: "So11111111111111111111111111111111111111112", dbcConfig: { totalTokenSupply: 1e9 } },
    })
    assert.strictEqual(token.pool, "GmxBxvyd5nYc3PcnTdRjK1bHy8LggagJmVjVxQ5TAfSk")
    const buy = { baseMint: MINT, signer: WALLET, amount: 1e9, swapBaseForQuote: false }
    const { quote, simulation } = await answered("/api/launch/swap", buy)
    assert.strictEqual(quote.priceBefore, "0.000000028959682417")
    assert.deepInclude(simulation, { willSucceed: false })
    const candles = await answered(`/api/launch/pool/${MINT}/candles?interval=1h`)
    assert.deepInclude(candles[0], { close: "0.000000028959682417", quoteVolume: "3186529998", trades: 4 })
  })
})
