import { assert, layer } from "@effect/vitest"
import { FORM_BYTES_MAX } from "@launch-registry/domain/ipfs/IpfsApi"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import sharp from "sharp"
import { TestServer } from "../../service/test/TestServer.ts"
import { badSamples } from "./images/BadSamples.ts"
import {
  beginUpload,
  BOUNDARY,
  eventually,
  FORM_TYPE,
  formBytes,
  formOf,
  storedRows,
  upload,
} from "./images/UploadForms.ts"

const MIB = 1_048_576
/** More uploads of the largest size than have room in memory. */
const CROWD = 12
const ROOM = 4

const samples = await badSamples()
const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#fc0" } })
  .png()
  .toBuffer()

const part = (name: string, content: string, fileName?: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? "" : `; filename="${fileName}"`}\r\n\r\n${content}\r\n`
const end = `--${BOUNDARY}--\r\n`

const withForm = (change: (form: FormData) => void) => {
  const form = formOf(png)
  change(form)
  return form
}

layer(TestServer.layer({ limits: { addresses: { uploads: 100 } } }))("A bad upload", (it) => {
  for (const [what, bytes, status, code, message] of samples) {
    it.effect(`is refused with the reason, and stores nothing: ${what}`, () =>
      Effect.gen(function* () {
        const before = yield* storedRows
        const answer = yield* upload(formOf(bytes))
        assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
        assert.strictEqual(answer.body.code, code)
        assert.match(answer.body.message, message)
        assert.deepStrictEqual(yield* storedRows, before)
      }),
    )
  }

  const forms: ReadonlyArray<readonly [what: string, body: FormData | string, path: string]> = [
    ["two files", withForm((form) => form.append("image", new Blob([png]), "b.png")), "body.image"],
    ["a second file of another name", withForm((form) => form.append("other", new Blob([png]), "b.png")), "body.other"],
    ["no file", `${part("fileName", "a.png")}${end}`, "body.image"],
    ["no part at all", end, "body.image"],
    ["a file under another name", formOf(png, { name: "picture" }), "body.picture"],
    ["text in place of the file", `${part("image", "text")}${end}`, "body.image"],
    ["an unknown field", formOf(png, { after: { other: "x" } }), "body.other"],
    ["two names", withForm((form) => [1, 2].forEach((n) => form.append("fileName", `${n}.png`))), "body.fileName"],
    ["a name as a file", `${part("fileName", "x", "x.png")}${end}`, "body.fileName"],
    ["a name of more than 1024 bytes", formOf(png, { before: { fileName: "x".repeat(1025) } }), "body.fileName"],
    ["a part without a name", `--${BOUNDARY}\r\nContent-Type: image/png\r\n\r\nx\r\n${end}`, "body"],
    ["a body that is no form", "broken", "body.image"],
    ["a form without its end", part("image", "x", "a.png"), "body.image"],
    [
      "parts behind another boundary",
      `${part("image", "x", "a.png")}${end}`.replaceAll(BOUNDARY, "other"),
      "body.image",
    ],
  ]
  for (const [what, body, path] of forms) {
    it.effect(`is refused with the name of the wrong part: ${what}`, () =>
      Effect.gen(function* () {
        const before = yield* storedRows
        const answer = yield* upload(body, typeof body === "string" ? { "content-type": FORM_TYPE } : {})
        assert.strictEqual(answer.status, 400, JSON.stringify(answer.body))
        assert.strictEqual(answer.body.code, "invalid_request")
        assert.strictEqual(answer.body.issues[0].path, path)
        assert.deepStrictEqual(yield* storedRows, before)
      }),
    )
  }

  it.effect("is refused by its content type", () =>
    Effect.gen(function* () {
      const before = yield* storedRows
      for (const type of ["application/json", "image/png", "application/x-www-form-urlencoded", "multipart/mixed"]) {
        const answer = yield* upload(png, { "content-type": type })
        assert.strictEqual(answer.status, 415, type)
        assert.strictEqual(answer.body.code, "unsupported_content_type")
        assert.deepStrictEqual(answer.body.details.supported, ["multipart/form-data"])
      }
      const unbounded = yield* upload(formBytes(png), { "content-type": "multipart/form-data" })
      assert.strictEqual(unbounded.status, 400, JSON.stringify(unbounded.body))
      assert.strictEqual(unbounded.body.code, "invalid_request")
      assert.deepStrictEqual(yield* storedRows, before)
    }),
  )

  it.effect("is refused by its Content-Length before the body is read", () =>
    Effect.gen(function* () {
      const length = String(FORM_BYTES_MAX + 1)
      const { answer, socket } = yield* beginUpload({ "content-length": length }, Buffer.alloc(0))
      yield* eventually(() => answer().includes("body_too_large"), Effect.void)
      assert.match(answer(), /^HTTP\/1.1 413 /)
      socket.destroy()
    }),
  )

  it.effect("is refused while it is received when it has no length", () =>
    Effect.gen(function* () {
      const before = yield* storedRows
      const start = formBytes(Buffer.alloc(MIB), "")
      const chunk = (bytes: Uint8Array) =>
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])
      const { answer, socket } = yield* beginUpload({ "transfer-encoding": "chunked" }, chunk(start))
      const more = chunk(Buffer.alloc(MIB))
      // It never ends by itself.
      const send = Effect.promise(() => new Promise<void>((resolve) => socket.write(more, () => resolve())))
      yield* eventually(() => answer() !== "" || socket.destroyed, send)
      assert.match(answer(), /^HTTP\/1.1 413 .*body_too_large/s)
      assert.deepStrictEqual(yield* storedRows, before)
      socket.destroy()
    }),
  )

  it.effect("that breaks off stores nothing", () =>
    Effect.gen(function* () {
      const before = yield* storedRows
      const { request } = yield* TestServer
      const body = formBytes(png)
      for (const sent of [0, 10, 200, body.length - 1]) {
        const { socket } = yield* beginUpload({ "content-length": String(body.length) }, body.subarray(0, sent))
        socket.destroy()
      }
      // A client that only stops sending can still read an answer.
      const half = yield* beginUpload({ "content-length": String(body.length) }, body.subarray(0, 200))
      half.socket.end()
      yield* eventually(() => half.socket.destroyed, Effect.void)
      assert.strictEqual((yield* request("/api/ipfs/health")).status, 200)
      assert.deepStrictEqual(yield* storedRows, before)
    }),
  )

  it.effect("that stalls is ended with the reason after its timeout", () =>
    Effect.gen(function* () {
      const before = yield* storedRows
      const body = formBytes(png)
      const { answer, socket } = yield* beginUpload({ "content-length": String(body.length) }, body.subarray(0, 200))
      let seconds = 0
      const aSecond = Effect.andThen(
        TestClock.adjust("1 second"),
        Effect.sync(() => seconds++),
      )
      yield* eventually(() => answer() !== "" || seconds === 140, aSecond)
      assert.match(answer(), /^HTTP\/1.1 408 .*"code":"request_timeout"/s)
      assert.deepStrictEqual(yield* storedRows, before)
      socket.destroy()
    }),
  )

  it.effect("that declares a large size and sends nothing blocks nobody else", () =>
    Effect.gen(function* () {
      const begun = formBytes(Buffer.alloc(0), "")
      const chunk = Buffer.concat([Buffer.from(`${begun.length.toString(16)}\r\n`), begun, Buffer.from("\r\n")])
      const idle = yield* Effect.forEach(Array.from({ length: 4 * CROWD }), (_, index) =>
        index % 2 === 0
          ? beginUpload({ "transfer-encoding": "chunked" }, chunk)
          : beginUpload({ "content-length": String(15 * MIB) }, begun),
      )
      // The clock stands still, so nobody times out while waiting.
      const largest = formOf(Buffer.concat([png, Buffer.alloc(14 * MIB)]))
      assert.strictEqual((yield* upload(largest)).status, 200)
      assert.isTrue(idle.every(({ answer }) => answer() === ""))
      for (const { socket } of idle) socket.destroy()
    }),
  )

  it.effect("beyond the memory for uploads is refused with 503, and the others stay within it", () =>
    Effect.gen(function* () {
      const before = yield* storedRows
      const headers = { "content-length": String(15 * MIB) }
      const crowd = yield* Effect.forEach(Array.from({ length: CROWD }), () => beginUpload(headers, formBytes(png, "")))
      const answered = () => crowd.filter(({ answer }) => answer() !== "")
      for (const { socket } of crowd) socket.write(Buffer.alloc(14 * MIB))
      yield* eventually(() => answered().length >= CROWD - ROOM, Effect.void)
      for (const { answer } of answered()) assert.match(answer(), /^HTTP\/1.1 503 .*retry-after: \d.*"code":"busy"/is)
      for (const { socket } of crowd) socket.destroy()
      // The memory of the admitted ones is released when they disconnect.
      const form = formOf(Buffer.concat([png, Buffer.alloc(14 * MIB)]))
      const large = yield* Effect.forEach(Array.from({ length: 4 }), () => upload(form), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        large.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      assert.isAtMost((yield* storedRows).uploads, before.uploads + 1)
    }),
  )
})
