import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { base36 } from "multiformats/bases/base36"
import { base64url } from "multiformats/bases/base64"
import sharp from "sharp"
import { TestServer } from "../../service/test/TestServer.ts"
import { buildDag } from "../src/content/Dag.ts"
import { importCar } from "./filebase/CarImport.ts"
import { noise } from "./Noise.ts"

/** A PNG of three blocks: noise does not compress. */
const photo = Effect.promise(() =>
  sharp(Buffer.from(noise(1000 * 900 * 3)), { raw: { width: 1000, height: 900, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer(),
)

const MIB = 1_048_576

const uploaded = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const { request } = yield* TestServer
  const body = new FormData()
  body.append("image", new Blob([Uint8Array.from(bytes)]), "photo.png")
  const { body: answer } = yield* request("/api/ipfs/upload-image", { raw: body })
  return String(answer.data.cid)
})

const bytesOf = (response: Response) => Effect.promise(async () => Buffer.from(await response.arrayBuffer()))

const RAW = "application/vnd.ipld.raw"

layer(TestServer.layer())("The gateway of the service", (it) => {
  it.effect("serves an upload to a verifying client, as a CAR and block by block", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const bytes = yield* photo
      const cid = yield* uploaded(bytes)
      for (const asked of [{ headers: { accept: "application/vnd.ipld.car" } }, undefined]) {
        const car = yield* fetch(`/ipfs/${cid}${asked === undefined ? "?format=car" : ""}`, asked)
        assert.match(car.headers.get("content-type")!, /^application\/vnd\.ipld\.car; version=1/)
        const imported = yield* Effect.flatMap(bytesOf(car), (body) => Effect.promise(() => importCar(body)))
        assert.strictEqual(imported.cid.toString(), cid)
        assert.isTrue(imported.file.equals(bytes))
      }
      const { blocks } = buildDag(bytes)
      assert.isAbove(blocks.length, 3)
      for (const block of blocks) {
        const answer = yield* fetch(`/ipfs/${block.cid.toString()}`, { headers: { accept: RAW } })
        assert.isTrue((yield* bytesOf(answer)).equals(block.bytes))
        assert.strictEqual(answer.headers.get("content-type"), RAW)
      }
      assert.strictEqual((yield* fetch(`/ipfs/${blocks[1]!.cid.toString()}`)).status, 404, "a leaf is no file")
    }),
  )

  it.effect("serves a file for ever, sandboxed, with its stored type and under every spelling of its CID", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const bytes = yield* photo
      const { root } = buildDag(bytes)
      const cid = yield* uploaded(bytes)
      assert.strictEqual(cid, root.toString())
      const spelled = [cid, `${cid}/`, root.toV0().toString(), root.toString(base36 as never)]
      for (const name of [...spelled, root.toString(base64url as never), `${cid}?a=b?c`]) {
        const answer = yield* fetch(`/ipfs/${name}`)
        assert.isTrue((yield* bytesOf(answer)).equals(bytes), name)
        const expected = {
          "content-type": "image/png",
          "cache-control": "public, max-age=29030400, immutable",
          "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
          "x-content-type-options": "nosniff",
          "x-ipfs-roots": cid,
          etag: `"${cid}"`,
        }
        for (const [header, value] of Object.entries(expected)) assert.strictEqual(answer.headers.get(header), value)
        const head = yield* fetch(`/ipfs/${name}`, { method: "HEAD" })
        assert.strictEqual(head.headers.get("content-length"), String(bytes.length))
      }
    }),
  )

  it.effect("refuses what it does not have or know", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const cid = yield* uploaded(yield* photo)
      const unknown = buildDag(new Uint8Array(5)).root.toString()
      const refusals: ReadonlyArray<readonly [path: string, status: number]> = [
        [unknown, 404],
        [`${unknown}?format=raw`, 404],
        [`${unknown}?format=car`, 404],
        [`${cid}/below`, 404],
        [`${cid}/below?format=car`, 404],
        ["bafybroken", 400],
        [`${cid}?format=zip`, 400],
      ]
      for (const [path, status] of refusals) {
        const { body, status: answered } = yield* request(`/ipfs/${path}`)
        assert.strictEqual(answered, status, path)
        assert.isFalse(body.success)
      }
    }),
  )

  it.effect("serves a range of a file or block", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const bytes = yield* photo
      const { length } = bytes
      const cid = yield* uploaded(bytes)
      const ranges: ReadonlyArray<readonly [range: string, start: number, end: number]> = [
        ["bytes=6-16", 6, 17],
        ["bytes=-3", length - 3, length],
        [`bytes=-${length + 1}`, 0, length],
        [`bytes=${MIB - 6}-${MIB + 9}`, MIB - 6, MIB + 10],
        [`bytes=${2 * MIB - 1}-`, 2 * MIB - 1, length],
        [`bytes=5-${length + 9}`, 5, length],
      ]
      for (const [range, start, end] of ranges) {
        const answer = yield* fetch(`/ipfs/${cid}`, { headers: { range, "if-range": `"${cid}"` } })
        assert.strictEqual(answer.status, 206, range)
        assert.strictEqual(answer.headers.get("content-range"), `bytes ${start}-${end - 1}/${length}`)
        assert.isTrue((yield* bytesOf(answer)).equals(bytes.subarray(start, end)), range)
      }
      const whole = [{ range: "bytes=9-4" }, { range: "items=0-4" }, { range: "bytes=0-4", "if-range": '"another"' }]
      for (const headers of [...whole, { range: "bytes=0-1,3-4" }])
        assert.isTrue((yield* bytesOf(yield* fetch(`/ipfs/${cid}`, { headers }))).equals(bytes))
      const beyond = yield* fetch(`/ipfs/${cid}`, { headers: { range: `bytes=${length}-` } })
      assert.strictEqual(beyond.status, 416)
      assert.strictEqual(beyond.headers.get("content-range"), `bytes */${length}`)
      const block = yield* fetch(`/ipfs/${cid}`, { headers: { accept: RAW, range: "bytes=1-2" } })
      assert.isTrue((yield* bytesOf(block)).equals(buildDag(bytes).blocks[0]!.bytes.slice(1, 3)))
    }),
  )

  it.effect("serves a JSON document whole, whatever range is asked: a part of it is no JSON", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      const json = { name: "Whole", symbol: "WHL", description: "d", imageUri: "https://example.com/i.png" }
      const cid = String((yield* request("/api/ipfs/upload-metadata", { json })).body.data.cid)
      for (const range of ["bytes=0-3", "bytes=-1", "bytes=999999-"]) {
        const answer = yield* fetch(`/ipfs/${cid}`, { headers: { range } })
        assert.strictEqual(answer.status, 200, range)
        assert.strictEqual(answer.headers.get("accept-ranges"), "none")
        assert.strictEqual((yield* Effect.promise(() => answer.json() as Promise<typeof json>)).name, "Whole")
      }
      const block = yield* fetch(`/ipfs/${cid}`, { headers: { accept: RAW, range: "bytes=0-3" } })
      assert.strictEqual(block.status, 206)
    }),
  )

  it.effect("breaks off at a missing block, so that no client takes it for complete", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const sql = yield* SqlClient
      const bytes = yield* photo
      const cid = yield* uploaded(bytes)
      const [, , second] = buildDag(bytes).blocks
      yield* sql`delete from ipfs_blocks where cid = ${second!.cid.toString()}`
      for (const query of ["", "?format=car"]) {
        const answer = yield* fetch(`/ipfs/${cid}${query}`)
        const read = yield* Effect.exit(Effect.tryPromise(() => answer.arrayBuffer()))
        assert.strictEqual(read._tag, "Failure", query)
      }
      const range = yield* fetch(`/ipfs/${cid}`, { headers: { range: "bytes=0-9" } })
      assert.isTrue((yield* bytesOf(range)).equals(bytes.subarray(0, 10)))
      yield* uploaded(bytes)
    }),
  )

  it.effect("has a different ETag for every form of the same content", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const cid = yield* uploaded(yield* photo)
      const forms = ["", "?format=raw", "?format=car"]
      const tags = yield* Effect.forEach(forms, (form) =>
        Effect.map(fetch(`/ipfs/${cid}${form}`, { method: "HEAD" }), ({ headers }) => headers.get("etag")!),
      )
      assert.strictEqual(new Set(tags).size, forms.length)
      for (const [index, form] of forms.entries())
        for (const tag of [tags[index]!, `"x", W/${tags[index]}`, "*"]) {
          const headers = { "if-none-match": tag }
          assert.strictEqual((yield* fetch(`/ipfs/${cid}${form}`, { headers })).status, 304, form)
        }
    }),
  )

  it.effect("offers clean file names for downloads", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const cid = yield* uploaded(yield* photo)
      const cases: ReadonlyArray<readonly [query: string, disposition: string | null]> = [
        ["", null],
        ["?download=true", "attachment"],
        ["?download=false", "inline"],
        ["?filename=logo.png", 'inline; filename="logo.png"'],
        ["?filename=logo.png&download=true", 'attachment; filename="logo.png"'],
        ["?filename=test%D1%82%D0%B5%D1%81%D1%82.pdf", `inline; filename="test____.pdf"; filename*=UTF-8''${FOREIGN}`],
        ["?filename=..%2F..%2Fetc%2Fpasswd&download=true", 'attachment; filename="passwd"'],
        ["?filename=a%22%0D%0Ax-evil:%201.png", 'inline; filename="ax-evil 1.png"'],
        ["?filename=cod%E2%80%AEgnp.exe", 'inline; filename="codgnp.exe"'],
        ["?filename=%00%01", "inline"],
        ["?format=raw&filename=", `attachment; filename="${cid}.bin"`],
        ["?format=car&filename=x.car", 'attachment; filename="x.car"'],
      ]
      for (const [query, disposition] of cases) {
        const { headers, status } = yield* fetch(`/ipfs/${cid}${query}`, { method: "HEAD" })
        assert.strictEqual(status, 200, query)
        assert.strictEqual(headers.get("content-disposition"), disposition, query)
        assert.isNull(headers.get("x-evil"))
      }
      const long = yield* fetch(`/ipfs/${cid}?filename=${"%F0%9F%98%80".repeat(500)}`, { method: "HEAD" })
      assert.strictEqual(decodeURIComponent(long.headers.get("content-disposition")!.split("''")[1]!).length, 256)
    }),
  )

  it.effect("allows cross-origin reads with GET and HEAD, and no other methods", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      const cid = yield* uploaded(yield* photo)
      const { headers } = yield* fetch(`/ipfs/${cid}`, { headers: { origin: "https://example.com" } })
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS")
      assert.strictEqual(headers.get("cross-origin-resource-policy"), "cross-origin")
      const options = yield* fetch(`/ipfs/${cid}`, { method: "OPTIONS", headers: { origin: "https://example.com" } })
      assert.strictEqual(options.headers.get("access-control-allow-origin"), "*")
      for (const path of [`/ipfs/${cid}`, `/ipfs/${cid}/below`]) {
        const posted = yield* request(path, { method: "POST" })
        assert.strictEqual(posted.status, 405)
        assert.strictEqual(posted.headers.get("allow"), "GET, HEAD")
      }
    }),
  )
})

const FOREIGN = "test%D1%82%D0%B5%D1%81%D1%82.pdf"
