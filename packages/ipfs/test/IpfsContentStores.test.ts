import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { buildDag } from "../src/Dag.ts"
import { IpfsContent } from "../src/IpfsContent.ts"

/** Blocks that all uploads of a round share. */
const SHARED = 12
const ROUNDS = 12
const AT_ONCE = 8

layer(Layer.provideMerge(IpfsContent.layer, TestDatabase.layer), { excludeTestServices: true })(
  "Concurrent uploads",
  (it) => {
    it.effect("that share blocks, in any order, do not deadlock", () =>
      Effect.gen(function* () {
        const content = yield* IpfsContent
        const sql = yield* SqlClient
        for (let round = 0; round < ROUNDS; round++) {
          const bytesOf = (name: string) => new TextEncoder().encode(`round ${round}, ${name}`)
          const shared = Array.from({ length: SHARED }, (_, index) => buildDag(bytesOf(`block ${index}`)).blocks[0]!)
          const dags = Array.from({ length: AT_ONCE }, (_, index) => {
            const own = buildDag(bytesOf(`upload ${index}`))
            return { ...own, blocks: [...(index % 2 === 0 ? shared : shared.toReversed()), ...own.blocks] }
          })
          const store = (dag: (typeof dags)[number]) => content.store(dag, { contentType: "text/plain" })
          yield* Effect.forEach(dags, store, { concurrency: AT_ONCE })
        }
        const [counts] = yield* sql<{ readonly blocks: bigint; readonly uploads: bigint }>`
          select (select count(*) from ipfs_blocks) as blocks, (select count(*) from ipfs_uploads) as uploads`
        const uploads = ROUNDS * AT_ONCE
        assert.deepStrictEqual({ ...counts }, { blocks: BigInt(uploads + ROUNDS * SHARED), uploads: BigInt(uploads) })
      }),
    )
  },
)

layer(Layer.provideMerge(IpfsContent.layer, TestDatabase.layer), { excludeTestServices: true })(
  "A block that is read",
  (it) => {
    it.effect("is cached without the buffer it was received in", () =>
      Effect.gen(function* () {
        const content = yield* IpfsContent
        const dag = buildDag(new Uint8Array(40_000).fill(7))
        const { cid } = yield* content.store(dag, { contentType: "image/png" })
        const read = Effect.map(content.find(cid), Option.getOrThrow)
        const [received, cached] = [yield* read, yield* read]
        assert.isAbove(received.rootBytes.buffer.byteLength, 40_000)
        assert.deepStrictEqual(cached, received)
        assert.strictEqual(cached.rootBytes.buffer.byteLength, 40_000)
      }),
    )
  },
)
