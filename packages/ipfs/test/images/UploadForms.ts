import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../../service/test/TestServer.ts"

export const UPLOAD_PATH = "/api/ipfs/upload-image"
export const BOUNDARY = "limit-of-parts"
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

export interface FormOptions {
  /** Fields that come before and after the file. */
  readonly before?: Readonly<Record<string, string>>
  readonly after?: Readonly<Record<string, string>>
  /** The headers of the part. */
  readonly type?: string
  readonly name?: string
  readonly partFileName?: string
}

/** The form of an upload. */
export const formOf = (bytes: Uint8Array, options: FormOptions = {}): FormData => {
  const { after = {}, before = {}, name = "image", partFileName = "../../etc/passwd", type = "image/png" } = options
  const form = new FormData()
  for (const [field, value] of Object.entries(before)) form.append(field, value)
  form.append(name, new Blob([new Uint8Array(bytes)], { type }), partFileName)
  for (const [field, value] of Object.entries(after)) form.append(field, value)
  return form
}

export const upload = (body: NonNullable<RequestInit["body"]>, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(TestServer, ({ request }) => request(UPLOAD_PATH, { raw: body, method: "POST", headers }))

/** The same form as raw bytes, for bodies that no client would send. */
export const formBytes = (bytes: Uint8Array, end = `\r\n--${BOUNDARY}--\r\n`): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from(end),
  ])

/** Number of stored uploads and blocks. */
export const storedRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly uploads: bigint; readonly blocks: bigint }>`
    select (select count(*) from ipfs_uploads) as uploads, (select count(*) from ipfs_blocks) as blocks`
  return { uploads: Number(row!.uploads), blocks: Number(row!.blocks) }
})

/** A connection on which an upload is sent in pieces, and the answer so far. */
export interface UploadConnection {
  readonly socket: Socket
  readonly answer: () => string
}

/** Sends the headers of an upload and the start of its body; the test sends the rest. */
export const beginUpload = (headers: Readonly<Record<string, string>>, start: Uint8Array) =>
  Effect.gen(function* () {
    const { url } = yield* TestServer
    const { hostname, port } = new URL(url)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST ${UPLOAD_PATH} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: ${FORM_TYPE}\r\n${lines.join("")}\r\n`
    let answer = ""
    const socket = connect(Number(port), hostname)
    socket.on("data", (data) => (answer += data.toString("latin1")))
    // A client that breaks off may see a reset.
    socket.on("error", () => {})
    yield* Effect.promise(
      () => new Promise<void>((resolve) => socket.write(Buffer.concat([Buffer.from(head), start]), () => resolve())),
    )
    return { socket, answer: () => answer } satisfies UploadConnection
  })

/** Waits on the real clock until a condition holds, running `meanwhile` between checks. */
export const eventually = <E, R>(holds: () => boolean, meanwhile: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    while (!holds()) {
      yield* meanwhile
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
    }
  })
