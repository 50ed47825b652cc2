/** What a request has wrong; `maximum` where an amount is too large. */
interface Issue {
  readonly message: string
  readonly maximum?: string
}

/** A refusal of the service: the code and message of its envelope. */
export class Refused extends Error {
  readonly code: string
  readonly issues: ReadonlyArray<Issue>

  constructor(code: string, message: string, issues: ReadonlyArray<Issue>) {
    super(`${code}: ${message}`)
    this.code = code
    this.issues = issues
  }
}

interface Envelope<Data> {
  readonly success: boolean
  readonly data: Data
  readonly code?: string
  readonly message?: string
  readonly issues?: ReadonlyArray<Issue>
}

/** The API of a running service. */
export class Registry {
  readonly url: string
  readonly #key: string | undefined

  constructor(url: string, key: string | undefined) {
    this.url = url.replace(/\/+$/, "")
    this.#key = key
  }

  read<Data>(path: string): Promise<Data> {
    return this.#ask(path, {})
  }

  post<Data>(path: string, body: unknown): Promise<Data> {
    return this.#ask(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    })
  }

  /** The URI of an image that is uploaded. */
  async upload(png: Uint8Array<ArrayBuffer>): Promise<string> {
    const body = new FormData()
    body.set("image", new Blob([png], { type: "image/png" }), "token.png")
    const { imageUri } = await this.#ask<{ readonly imageUri: string }>("/api/ipfs/upload-image", {
      method: "POST",
      body,
    })
    return imageUri
  }

  async #ask<Data>(path: string, init: RequestInit & { readonly headers?: Record<string, string> }): Promise<Data> {
    const headers = { ...init.headers, ...(this.#key !== undefined && { "x-api-key": this.#key }) }
    const response = await fetch(this.url + path, { ...init, headers, signal: AbortSignal.timeout(30_000) })
    const envelope = (await response.json()) as Envelope<Data>
    if (envelope.success) return envelope.data
    throw new Refused(envelope.code ?? String(response.status), envelope.message ?? "", envelope.issues ?? [])
  }
}
