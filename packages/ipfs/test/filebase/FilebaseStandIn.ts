import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import type { CID } from "multiformats/cid"
import { type Imported, importCar } from "./CarImport.ts"

export const CREDENTIALS = { key: "CANARYKEY7F3C91D2AB44", secret: "CANARY/secret+9b1e/ZkQ77+x" }
export const BUCKET = "launchpad-tests"

export type Method = "PUT" | "HEAD"

/** A fault of the stand-in. */
export type Fault =
  /** `code` in the XML of S3, which quotes key, signature and the string to sign. */
  | { readonly is: "status"; readonly status: number; readonly code?: string; readonly retryAfter?: string }
  /** Never answers. */
  | { readonly is: "hang" }
  | { readonly is: "reset" }
  | { readonly is: "html"; readonly status: number }
  | { readonly is: "redirect"; readonly status: number; readonly to: string }
  /** An answer with an endless body. */
  | { readonly is: "endless"; readonly status: number }
  /** The CID in its answer; `undefined`: none. */
  | { readonly is: "cid"; readonly of: (root: CID) => string | undefined }

/** A completely received request. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly bodyBytes: number
  readonly headers: IncomingMessage["headers"]
}

/**
 * Stand-in for the S3 API of Filebase on loopback: imports CARs, returns their CID in the answer and for HEAD, and can be told to
 * fail. Signatures are checked by s3rver.
 */
export class FilebaseStandIn {
  url = ""
  /** By name in the bucket. */
  objects = new Map<string, Imported>()
  requests: Array<Seen> = []
  #told: Array<{ readonly fault: Fault; readonly on: ReadonlyArray<Method>; times: number }> = []
  #hanging: Array<() => void> = []
  #left: Array<() => void> = []

  /** From now on, or for so many requests of these methods. Earlier faults apply first. */
  tell(fault: Fault, on: ReadonlyArray<Method> = ["PUT", "HEAD"], times = Infinity): void {
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
    const fault = this.#faultOf(method)
    const say = (status: number, code?: string, details: Readonly<Record<string, string>> = {}) => {
      const quoted = { ...details, Said: JSON.stringify(request.headers), Path: request.url! }
      const xml = Object.entries(quoted).map(([name, text]) => `<${name}>${text.replaceAll("<", "&lt;")}</${name}>`)
      response.writeHead(status, { "content-type": "application/xml" })
      response.end(code === undefined ? undefined : `<Error><Code>${code}</Code>${xml.join("")}</Error>`)
    }

    switch (fault?.is) {
      case "hang":
      case "reset":
        return this.#breakOff(fault, request, response)
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

    const { authorization = "", "x-amz-content-sha256": hash } = request.headers
    if (!authorization.includes(`Credential=${CREDENTIALS.key}/`)) return say(403, "InvalidAccessKeyId")
    if (hash !== createHash("sha256").update(body).digest("hex")) return say(400, "XAmzContentSHA256Mismatch")
    const [, bucket, ...segments] = request.url!.split("/").map(decodeURIComponent)
    if (bucket !== BUCKET) return say(404, "NoSuchBucket")
    const name = segments.join("/")
    if (name === "") return say(method === "HEAD" ? 200 : 405)
    if (method === "PUT") {
      if (request.headers["x-amz-meta-import"] !== "car") return say(400, "NotACar")
      const imported = await importCar(body).catch((error: unknown) => String(error))
      if (typeof imported === "string") return say(400, "InvalidCar", { Message: imported })
      this.objects.set(name, imported)
    }

    const object = this.objects.get(name)
    if (object === undefined) return say(404, "NoSuchKey")
    const named = fault?.is === "cid" ? fault.of(object.cid) : object.cid.toString()
    if (named !== undefined) response.setHeader("x-amz-meta-cid", named)
    say(200)
  }

  #faultOf(method: Method): Fault | undefined {
    const told = this.#told.find(({ on, times }) => times > 0 && on.includes(method))
    if (told !== undefined) told.times--
    return told?.fault
  }

  #breakOff(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
    if (fault.is === "reset") return void request.socket.resetAndDestroy()
    response.on("close", () => {
      for (const resolve of this.#left.splice(0)) resolve()
    })
    for (const resolve of this.#hanging.splice(0)) resolve()
  }
}

/** Writes as long as the client reads. */
const endlessly = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { "content-type": "application/xml" })
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, "<Error>"))) continue
  }
  response.on("drain", more)
  more()
}

/** A stand-in for the lifetime of a scope. */
export const filebaseStandIn = Effect.gen(function* () {
  const standIn = new FilebaseStandIn()
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => void standIn.answer(request, Buffer.concat(pieces), response))
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
})
