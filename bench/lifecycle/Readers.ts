import { setTimeout as sleep } from "node:timers/promises"
import { noisePng } from "../../packages/service/test/NoisePng.ts"

const PAUSE_MILLIS = 200
const UPLOAD_MILLIS = 1_000
const IMAGE_SIDE = 200
/** Those launched first, and so the longest lists. Only of SOL: the node of the bench has no accounts of other mints. */
const MINTS = 10
const HOUR_MILLIS = 3_600_000

const isoOf = (millis: number) => new Date(millis).toISOString()

/**
 * What a launchpad asks besides lists and writes: candles and trades of mints, searches, uploads that are
 * read back, and event streams, one of which is opened again all the time.
 */
export class Readers {
  requests = 0
  events = 0
  uploads = 0
  /** Once the first images are there, which are uploaded without a pause. */
  readonly filled: Promise<void>
  readonly failures = new Map<string, number>()
  readonly #launched = new Set<string>()
  readonly #abort = new AbortController()
  readonly #url: string
  readonly #all: ReadonlyArray<Promise<void>>

  constructor(url: string, { streams, images }: { readonly streams: number; readonly images: number }) {
    this.#url = url
    this.filled = this.#fill(images)
    this.#all = [
      this.#readMints(),
      this.filled.then(() => this.#uploadOn(images)),
      this.#reopen(),
      ...Array.from({ length: streams }, () => this.#read(this.#abort.signal)),
    ]
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await Promise.all(this.#all)
  }

  get #isStopped(): boolean {
    return this.#abort.signal.aborted
  }

  /** Reads the whole answer; the text is undefined when it failed. */
  async #ask(path: string, init?: RequestInit): Promise<string | undefined> {
    this.requests++
    let outcome: string
    try {
      const response = await fetch(`${this.#url}${path}`, init)
      const text = await response.text()
      if (response.ok) return text
      outcome = String(response.status)
    } catch (error) {
      outcome = String((error as { readonly cause?: unknown }).cause ?? error)
    }
    const failure = `${init?.method ?? "GET"} ${path.replace(/\?.*/, "").replaceAll(/[A-Za-z0-9]{30,}/g, "…")}: ${outcome}`
    this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1)
    return undefined
  }

  async #readMints(): Promise<void> {
    while (!this.#isStopped) {
      await sleep(PAUSE_MILLIS)
      for (const mintAddress of [...this.#launched].slice(0, MINTS)) {
        await this.#ask(`/api/launch/pool/${mintAddress}/trades?limit=50`)
        const now = Date.now()
        await this.#ask(
          `/api/launch/pool/${mintAddress}/candles?interval=1m&from=${isoOf(now - HOUR_MILLIS)}&to=${isoOf(now)}`,
        )
        await this.#ask(`/api/tokens/search?q=${mintAddress.slice(0, 5)}`)
        await sleep(PAUSE_MILLIS)
      }
    }
  }

  async #fill(images: number): Promise<void> {
    for (let seed = 0; seed < images && !this.#isStopped; seed++) await this.#upload(seed)
  }

  async #uploadOn(firstSeed: number): Promise<void> {
    for (let seed = firstSeed; !this.#isStopped; seed++) {
      await this.#upload(seed)
      await sleep(UPLOAD_MILLIS)
    }
  }

  async #upload(seed: number): Promise<void> {
    const form = new FormData()
    form.append("image", new Blob([new Uint8Array(noisePng(seed, IMAGE_SIDE))], { type: "image/png" }), "image.png")
    const stored = await this.#ask("/api/ipfs/upload-image", { method: "POST", body: form })
    const path = stored === undefined ? undefined : /\/ipfs\/[A-Za-z0-9]+/.exec(stored)?.[0]
    if (path === undefined) return
    this.uploads++
    await this.#ask(path)
  }

  async #reopen(): Promise<void> {
    while (!this.#isStopped) await this.#read(AbortSignal.any([this.#abort.signal, AbortSignal.timeout(2_000)]))
  }

  async #read(signal: AbortSignal): Promise<void> {
    try {
      const response = await fetch(`${this.#url}/api/stream`, { signal })
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const text = Buffer.from(chunk).toString()
        this.events += text.split("\n\n").length - 1
        for (const [, mint] of text.matchAll(/event: ?token\ndata:.*?"baseMint":"(\w+)","quoteMint":"So1{40}2"/g))
          this.#launched.add(mint!)
      }
      if (!signal.aborted) this.failures.set("a stream ended", (this.failures.get("a stream ended") ?? 0) + 1)
    } catch (error) {
      if (!signal.aborted) this.failures.set(String(error), (this.failures.get(String(error)) ?? 0) + 1)
    }
  }
}
