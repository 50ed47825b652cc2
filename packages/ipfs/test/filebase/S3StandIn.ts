import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { type Credentials, refusalOf } from "./SignatureCheck.ts"

export const CREDENTIALS: Credentials = { key: "CANARYKEY7F3C91D2AB44", secret: "CANARY/secret+9b1e/ZkQ77+x" }
export const BUCKET = "launchpad-tests"

export type Method = "PUT" | "HEAD" | "GET"

/** A fault of the stand-in. */
export type S3Fault =
  /** `code` in the XML of S3, which quotes key, signature and the string to sign. */
  | { readonly is: "status"; readonly status: number; readonly code?: string; readonly retryAfter?: string }
  /** Never answers, or stops after the headers of a correct body. */
  | { readonly is: "hang"; readonly afterHeaders?: boolean }
  /** Breaks the connection, or does so within a body. */
  | { readonly is: "reset"; readonly afterHeaders?: boolean }
  | { readonly is: "html"; readonly status: number }
  | { readonly is: "redirect"; readonly status: number; readonly to: string }
  /** Wrong content: other bytes of the same length, a truncated or a longer body. */
  | { readonly is: "body"; readonly of: (body: Buffer) => Buffer }
  /** An answer with an endless body. */
  | { readonly is: "endless"; readonly status: number }

/** A completely received request. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly bodyBytes: number
  readonly headers: IncomingMessage["headers"]
}

/** Why an object is not stored. */
export interface Unstored {
  readonly code: string
  readonly message?: string
}

/**
 * Stand-in for an S3 service on loopback: checks signatures, payload hashes and dates, and can be told to fail. What
 * it makes of an object is the subclass's.
 */
export abstract class S3Service<Stored, Fault extends { readonly is: string } = S3Fault> {
  url = ""
  /** By name in the bucket. */
  objects = new Map<string, Stored>()
  requests: Array<Seen> = []
  #told: Array<{ readonly fault: Fault | S3Fault; readonly on: ReadonlyArray<Method>; times: number }> = []
  #hanging: Array<() => void> = []
  #left: Array<() => void> = []

  /** The object as it is stored. */
  protected abstract store(body: Buffer, headers: IncomingHttpHeaders): Promise<Stored | Unstored>
  /** What GET answers. */
  protected abstract bytesOf(stored: Stored): Buffer
  /** More headers of an answer about an object. */
  protected headersOf(_stored: Stored, _fault: Fault | S3Fault | undefined): Readonly<Record<string, string>> {
    return {}
  }

  /** From now on, or for so many requests of these methods. Earlier faults apply first. */
  tell(fault: Fault | S3Fault, on: ReadonlyArray<Method> = ["PUT", "HEAD", "GET"], times = Infinity): void {
    this.#told.push({ fault, on, times })
  }

  /** Removes all faults. */
  forgive(): void {
    this.#told = []
  }

  /** Resolves when a request hangs. */
  nextHang(): Promise<void> {
    return new Promise((resolve) => this.#hanging.push(resolve))
  }

  /** Resolves when the client has closed the connection of a hanging request. */
  nextLeaving(): Promise<void> {
    return new Promise((resolve) => this.#left.push(resolve))
  }

  async answer(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const method = request.method as Method
    this.requests.push({ method, path: request.url!, bodyBytes: body.length, headers: request.headers })
    const told = this.#faultOf(method)
    const fault = told as S3Fault | undefined
    const say = (status: number, code?: string, details: Readonly<Record<string, string>> = {}) => {
      const quoted = { ...details, Said: JSON.stringify(request.headers), Path: request.url! }
      const xml = Object.entries(quoted).map(([name, text]) => `<${name}>${text.replaceAll("<", "&lt;")}</${name}>`)
      response.writeHead(status, { "content-type": "application/xml" })
      response.end(code === undefined ? undefined : `<Error><Code>${code}</Code>${xml.join("")}</Error>`)
    }

    switch (fault?.is) {
      case "hang":
      case "reset":
        if (fault.afterHeaders === true && method === "GET") break
        return this.#breakOff(fault, request, response, fault.afterHeaders === true ? Buffer.from("begun") : undefined)
      case "html":
        response.writeHead(fault.status, { "content-type": "text/html; charset=utf-8" })
        return void response.end(`<html><title>Log in</title>${JSON.stringify(request.headers)}</html>`)
      case "redirect":
        return void response.writeHead(fault.status, { location: fault.to }).end()
      case "endless":
        return endlessly(response, fault.status)
      case "status":
        if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter)
        return say(fault.status, fault.code, { Key: CREDENTIALS.key, Secret: CREDENTIALS.secret })
    }

    const refusal = refusalOf(request, body, CREDENTIALS, Date.now())
    if (refusal !== undefined) return say(refusal.status, refusal.code, refusal.details)
    const [, bucket, ...segments] = request.url!.split("/").map(decodeURIComponent)
    if (bucket !== BUCKET) return say(404, "NoSuchBucket")
    const name = segments.join("/")
    if (name === "") return say(method === "HEAD" ? 200 : 405)
    if (method === "PUT") {
      const stored = await this.store(body, request.headers)
      if (isUnstored(stored)) return say(400, stored.code, { Message: stored.message ?? "" })
      this.objects.set(name, stored)
    }

    const object = this.objects.get(name)
    if (object === undefined) return say(404, "NoSuchKey")
    for (const [header, value] of Object.entries(this.headersOf(object, told))) response.setHeader(header, value)
    if (method === "PUT") return say(200)
    const whole = this.bytesOf(object)
    const read = fault?.is === "body" ? fault.of(whole) : whole
    if (fault?.is === "hang" || fault?.is === "reset") return this.#breakOff(fault, request, response, read)
    response.writeHead(response.statusCode, {
      "content-type": "application/octet-stream",
      "content-length": read.length,
    })
    response.end(method === "HEAD" ? undefined : read)
  }

  #faultOf(method: Method): Fault | S3Fault | undefined {
    const told = this.#told.find(({ on, times }) => times > 0 && on.includes(method))
    if (told !== undefined) told.times--
    return told?.fault
  }

  /** Answers with the first half of a body, or with nothing, and then stalls. */
  #breakOff(fault: S3Fault, request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
    const then = () => {
      if (fault.is === "reset") return void request.socket.resetAndDestroy()
      response.on("close", () => {
        for (const resolve of this.#left.splice(0)) resolve()
      })
      for (const resolve of this.#hanging.splice(0)) resolve()
    }
    if (body === undefined) return then()
    response.writeHead(response.statusCode, { "content-length": body.length })
    response.write(body.subarray(0, body.length / 2), then)
  }
}

const isUnstored = (stored: unknown): stored is Unstored =>
  typeof stored === "object" && stored !== null && "code" in stored && !Buffer.isBuffer(stored)

/** Writes as long as the client reads. */
const endlessly = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { "content-type": "application/xml" })
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, "<Error>"))) continue
  }
  response.on("drain", more)
  more()
}

/** Lets a stand-in listen for the lifetime of a scope. */
export const listening = <A extends { url: string; answer: S3Service<unknown>["answer"] }>(standIn: A) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<() => void>((resolve) => {
          const server = createServer((request, response) => {
            const pieces: Array<Buffer> = []
            request.on("data", (piece: Buffer) => pieces.push(piece))
            request.on("end", () => void standIn.answer(request, Buffer.concat(pieces), response))
          })
          server.listen(0, "127.0.0.1", () => {
            standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
            resolve(() => {
              server.close()
              server.closeAllConnections()
            })
          })
        }),
    ),
    (close) => Effect.sync(close),
  ).pipe(Effect.as(standIn))
