import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { TestServer } from "../../service/test/TestServer.ts"
import { fileFrom, verifyCar } from "./conformance/CarClient.ts"
import { noise } from "./conformance/Fixtures.ts"

/** A PNG of several MiB: noise does not compress. */
const photo = Effect.promise(() =>
  sharp(Buffer.from(noise(1000 * 900 * 3)), { raw: { width: 1000, height: 900, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer(),
)

const uploaded = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const { request } = yield* TestServer
  const body = new FormData()
  body.append("image", new Blob([Uint8Array.from(bytes)]), "photo.png")
  const { body: answer } = yield* request("/api/ipfs/upload-image", { raw: body })
  return String(answer.data.cid)
})

const bytesOf = (response: Response) => Effect.promise(async () => Buffer.from(await response.arrayBuffer()))

layer(TestServer.layer())("The gateway of the service", (it) => {
  it.effect("serves an upload to a verifying client, as a CAR and block by block", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const bytes = yield* photo
      const cid = yield* uploaded(bytes)
      const car = yield* fetch(`/ipfs/${cid}?format=car`)
      const read = yield* Effect.flatMap(bytesOf(car), (body) => Effect.promise(() => verifyCar(body)))
      assert.isAbove(read.cids.length, 3)
      assert.isTrue((yield* Effect.promise(() => fileFrom(read, cid))).equals(bytes))
      for (const block of read.cids) {
        const answer = yield* bytesOf(
          yield* fetch(`/ipfs/${block}`, { headers: { accept: "application/vnd.ipld.raw" } }),
        )
        assert.isTrue(answer.equals(read.blocks.get(block)!), block)
      }
    }),
  )

  it.effect("serves content from memory without the database once it was read", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const sql = yield* SqlClient
      const bytes = yield* photo
      const cid = yield* uploaded(bytes)
      assert.isTrue((yield* bytesOf(yield* fetch(`/ipfs/${cid}`))).equals(bytes))
      yield* sql`delete from ipfs_uploads where cid = ${cid}`
      yield* sql`delete from ipfs_blocks`
      assert.isTrue((yield* bytesOf(yield* fetch(`/ipfs/${cid}`))).equals(bytes))
      assert.strictEqual((yield* fetch(`/ipfs/${cid}`, { method: "HEAD" })).status, 200)
    }),
  )

  it.effect("finds a part of other content once it is uploaded on its own", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const sql = yield* SqlClient
      const cid = yield* uploaded(yield* photo)
      const { blocks, cids } = yield* Effect.flatMap(bytesOf(yield* fetch(`/ipfs/${cid}?format=car`)), (body) =>
        Effect.promise(() => verifyCar(body)),
      )
      const leaf = cids[1]!
      assert.strictEqual((yield* fetch(`/ipfs/${leaf}`)).status, 404)
      yield* sql`insert into ipfs_uploads (cid, content_type, size_bytes, created_at, used_at, links)
        values (${leaf}, 'image/png', ${blocks.get(leaf)!.length}::bigint, 'epoch', 'epoch', '{}')`
      assert.strictEqual((yield* fetch(`/ipfs/${leaf}`)).status, 200)
    }),
  )

  it.effect("has a different ETag for every form of the same content", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const cid = yield* uploaded(yield* photo)
      const forms = [
        "",
        "?format=raw",
        "?format=car",
        "?format=car&dag-scope=block",
        "?format=car&dag-scope=entity",
        "?format=car&entity-bytes=0:5",
        "?format=car&entity-bytes=0:*",
        "?format=car&car-dups=y",
      ]
      const tags = yield* Effect.forEach(forms, (form) =>
        Effect.map(fetch(`/ipfs/${cid}${form}`, { method: "HEAD" }), ({ headers }) => headers.get("etag")),
      )
      assert.strictEqual(new Set(tags).size, forms.length)
      for (const [index, form] of forms.entries()) {
        const headers = { "if-none-match": tags[index]! }
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
