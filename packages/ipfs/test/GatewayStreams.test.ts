import { connect, type Socket } from "node:net"
import { assert, describe, it as plainIt, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { buildDag } from "../src/Dag.ts"
import { type ReadBlock, readFileBytes, walkDag } from "../src/gateway/DagWalk.ts"
import { IpfsContent } from "../src/IpfsContent.ts"
import { verifyCar } from "./conformance/CarClient.ts"
import { noise } from "./conformance/Fixtures.ts"
import { GatewayServer } from "./conformance/GatewayServer.ts"

const MIB = 1_048_576

const store = (bytes: Uint8Array) =>
  Effect.gen(function* () {
    const dag = buildDag(bytes)
    yield* (yield* IpfsContent).store(dag, { contentType: "image/png" })
    return dag
  })

/** The blocks that a walk over a file of so many blocks reads. */
const countedWalk = (blocks: number) => {
  const dag = buildDag(new Uint8Array(blocks * MIB))
  const bytesOf = new Map(dag.blocks.map(({ bytes, cid }) => [cid.toString(), bytes]))
  const counts = { reads: 0 }
  const readBlock: ReadBlock = (cid) =>
    Effect.sync(() => {
      counts.reads++
      return Effect.succeedSome(bytesOf.get(cid.toString())!)
    })
  return { counts, readBlock, root: { cid: dag.root, start: 0, end: dag.sizeBytes } }
}

layer(GatewayServer.layer({ cacheBytesMax: 0 }))("Streamed content", (it) => {
  it.effect("is cut off at a missing block, so that no client takes it for complete", () =>
    Effect.gen(function* () {
      const { ask } = yield* GatewayServer
      const sql = yield* SqlClient
      const bytes = noise(4 * MIB)
      const dag = yield* store(bytes)
      const third = dag.blocks[2]!.cid.toString()
      yield* sql`delete from ipfs_blocks where cid = ${third}`
      const path = `/ipfs/${dag.root.toString()}`
      const file = yield* ask(path)
      assert.strictEqual(file.status, 200)
      assert.isFalse(file.isComplete)
      assert.isAtMost(file.body.length, 2 * MIB)
      const car = yield* ask(`${path}?format=car`)
      assert.strictEqual(car.status, 200)
      assert.isFalse(car.isComplete)

      for (const [start, end] of [
        [997, 1000],
        [3 * MIB, 4 * MIB - 1],
      ] as const) {
        const range = yield* ask(path, { headers: { range: `bytes=${start}-${end}` } })
        assert.strictEqual(range.status, 206)
        assert.isTrue(range.isComplete && range.body.equals(bytes.subarray(start, end + 1)))
        const part = yield* ask(`${path}?format=car&entity-bytes=${start}:${end}`)
        assert.isTrue(part.isComplete)
        const { cids } = yield* Effect.promise(() => verifyCar(part.body))
        assert.deepStrictEqual(cids, [dag.root.toString(), dag.blocks[Math.floor(start / MIB)]!.cid.toString()])
      }
    }),
  )

  it.effect("is not found without its root", () =>
    Effect.gen(function* () {
      const { ask } = yield* GatewayServer
      const sql = yield* SqlClient
      const { root } = yield* store(noise(2 * MIB + 1))
      yield* sql`delete from ipfs_blocks where cid = ${root.toString()}`
      for (const query of ["", "?format=raw", "?format=car"])
        assert.strictEqual((yield* ask(`/ipfs/${root.toString()}${query}`)).status, 404, query)
    }),
  )

  it.effect("is read one block ahead of the client, and no further", () =>
    Effect.gen(function* () {
      const { counts, readBlock, root } = countedWalk(50)
      yield* Stream.runDrain(Stream.take(readFileBytes(readBlock, root), 3))
      // The root, three leaves and the next one.
      assert.strictEqual(counts.reads, 5)
      const whole = yield* Stream.runCollect(walkDag(readBlock, root))
      assert.strictEqual(whole.length, 51)
      assert.strictEqual(counts.reads, 5 + 51)
    }),
  )
})

/** Sends a request, reads the first bytes, and then stops reading. */
const stall = (url: string, path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`))
    socket.once("error", reject)
    socket.once("data", () => resolve(socket.pause()))
  })

describe("A client that stops reading and then disconnects", () => {
  plainIt.effect("is not read for any further than connections hold", () =>
    Effect.gen(function* () {
      const blocks = 200
      const reads = { count: 0 }
      const counting = Layer.effect(
        IpfsContent,
        Effect.map(IpfsContent, (content) => ({
          ...content,
          readBlockAhead: (cid: Parameters<ReadBlock>[0]) =>
            Effect.suspend(() => (reads.count++, content.readBlockAhead(cid))),
        })),
      )
      // Once the layer is closed, so are all requests of its server.
      yield* Effect.gen(function* () {
        const { url } = yield* GatewayServer
        const dag = yield* store(new Uint8Array(blocks * MIB))
        const socket = yield* Effect.promise(() => stall(url, `/ipfs/${dag.root.toString()}`))
        socket.destroy()
      }).pipe(Effect.provide(GatewayServer.layer({ around: counting })))
      assert.isAbove(reads.count, 0)
      assert.isBelow(reads.count, blocks / 2)
    }),
  )
})
