import { webcrypto } from "node:crypto"
import { setImmediate as nextTurn } from "node:timers/promises"
import { assert, describe, it, vi } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Ref, Schema, Stream } from "effect"
import { buildDag, childrenOf } from "../src/Dag.ts"
import { buildDagOffLoop, LEAVES_AHEAD, streamDag } from "../src/DagBuilder.ts"
import { type Block, type DagProfile, UNIXFS_V1_2025 } from "../src/DagTree.ts"
import { HASHES_AT_ONCE } from "../src/HashOffLoop.ts"
import { dagByImporter } from "./DagByImporter.ts"
import { keystream } from "./DagKeystream.ts"

const MIB = 1_048_576
const SMALL: DagProfile = { chunkBytes: 8, linksMax: 3 }

const noise = (length: number) => keystream("noise", length)

/** The bytes in pieces of these lengths, over and over. */
const piecesOf = (bytes: Uint8Array, lengths: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; at += pieces.at(-1)!.length)
    pieces.push(bytes.subarray(at, at + lengths[pieces.length % lengths.length]!))
  return pieces
}

/** What streaming these pieces gives: the root, the length and every block in its order. */
const streamed = Effect.fnUntraced(function* (pieces: ReadonlyArray<Uint8Array>, profile?: DagProfile) {
  const blocks: Array<Block> = []
  const take = (block: Block) => Effect.sync(() => void blocks.push(block))
  const root = yield* streamDag(Stream.fromIterable(pieces), take, profile)
  return { ...root, blocks }
})

const bytesByCid = (blocks: ReadonlyArray<Block>) =>
  Object.fromEntries(blocks.map(({ bytes, cid }) => [cid.toString(), Buffer.from(bytes).toString("hex")]))

describe("The DAG of a file that is streamed", () => {
  const Length = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 700 }))
  const Lengths = Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })))

  it.effect.prop(
    "equals that of ipfs-unixfs-importer however it is cut in pieces",
    [Length, Lengths],
    ([length, lengths]) =>
      Effect.gen(function* () {
        const bytes = noise(length)
        const { blocks, root, sizeBytes } = yield* streamed(piecesOf(bytes, lengths), SMALL)
        const other = yield* Effect.promise(() => dagByImporter(bytes, SMALL))
        assert.strictEqual(root.toString(), other.root)
        assert.strictEqual(sizeBytes, length)
        assert.deepStrictEqual(
          bytesByCid(blocks),
          Object.fromEntries([...other.blocks].map(([cid, block]) => [cid, Buffer.from(block).toString("hex")])),
        )
      }),
  )

  it.effect.each([1023, 1024, 1025, 2048, 2049])("has nodes of 1024 links at most, with %i leaves", (leaves) =>
    Effect.gen(function* () {
      const profile = { ...UNIXFS_V1_2025, chunkBytes: 4 }
      const bytes = noise(leaves * 4)
      const { blocks, root } = yield* streamed([bytes], profile)
      const other = yield* Effect.promise(() => dagByImporter(bytes, profile))
      assert.strictEqual(root.toString(), other.root)
      const links = blocks.flatMap(({ bytes, cid }) => childrenOf(cid, bytes)?.length ?? [])
      const full = Array.from({ length: Math.floor(leaves / 1024) }, () => 1024)
      const rest = leaves % 1024
      const nodes = rest === 0 ? full : [...full, rest]
      assert.deepStrictEqual(links, nodes.length === 1 ? nodes : [...nodes, nodes.length])
    }),
  )

  it.effect.each(
    [[65_536], [MIB - 1, 2], [MIB + 1], [3 * MIB + 7], [MIB], [1_000_000, 300_000]].map((lengths) => ({ lengths })),
  )("is that of the whole in pieces of $lengths bytes", ({ lengths }) =>
    Effect.gen(function* () {
      const bytes = noise(3 * MIB + 7)
      const { blocks, root, sizeBytes } = yield* streamed(piecesOf(bytes, lengths))
      const whole = buildDag(bytes)
      assert.isTrue(root.equals(whole.root))
      assert.strictEqual(sizeBytes, whole.sizeBytes)
      assert.deepStrictEqual(bytesByCid(blocks), bytesByCid(whole.blocks))
    }),
  )

  it.effect("gives each block after the blocks that it links", () =>
    Effect.gen(function* () {
      const { blocks, root } = yield* streamed(piecesOf(noise(700), [5]), SMALL)
      const given = new Set<string>()
      for (const { bytes, cid } of blocks) {
        for (const child of childrenOf(cid, bytes) ?? []) assert.isTrue(given.has(child.cid.toString()))
        given.add(cid.toString())
      }
      assert.isTrue(blocks.at(-1)!.cid.equals(root))
    }),
  )

  it.effect("asks for pieces as blocks are taken, so that few leaves are in memory", () =>
    Effect.gen(function* () {
      let pulled = 0
      let taken = 0
      let waitingMost = 0
      const content = Stream.fromIterable(piecesOf(noise(8 * 500), [8])).pipe(
        Stream.rechunk(1),
        Stream.tap(() => Effect.sync(() => void pulled++)),
      )
      const take = ({ bytes, cid }: Block) =>
        Effect.sync(() => {
          waitingMost = Math.max(waitingMost, pulled - taken)
          if (childrenOf(cid, bytes) === undefined) taken++
        })
      yield* streamDag(content, take, SMALL)
      assert.strictEqual(taken, 500)
      assert.isAtMost(waitingMost, LEAVES_AHEAD + 1)
    }),
  )

  it.effect("fails as its content does, and gives no part of a leaf away", () =>
    Effect.gen(function* () {
      const blocks: Array<Block> = []
      const content = Stream.concat(Stream.make(noise(8 * 20 + 3)), Stream.fail("cut off"))
      const take = (block: Block) => Effect.sync(() => void blocks.push(block))
      assert.strictEqual(yield* Effect.flip(streamDag(content, take, SMALL)), "cut off")
      const leaves = blocks.filter(({ bytes, cid }) => childrenOf(cid, bytes) === undefined)
      assert.isAbove(leaves.length, 0)
      assert.isTrue(leaves.every(({ bytes }) => bytes.length === 8))
    }),
  )

  it.effect("fails as the taker does, and asks for no more", () =>
    Effect.gen(function* () {
      const pulled = yield* Ref.make(0)
      const content = Stream.fromEffectRepeat(
        Effect.as(
          Ref.update(pulled, (count) => count + 1),
          noise(8),
        ),
      )
      assert.strictEqual(yield* Effect.flip(streamDag(content, () => Effect.fail("full"), SMALL)), "full")
      assert.isAtMost(yield* Ref.get(pulled), LEAVES_AHEAD + 1)
    }),
  )

  it.live("ends its content when it is interrupted", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const taken = yield* Ref.make(0)
      const first = yield* Deferred.make<void>()
      const content = Stream.fromEffectRepeat(Effect.sync(() => noise(MIB))).pipe(
        Stream.ensuring(Deferred.succeed(ended, undefined)),
      )
      const take = () =>
        Effect.andThen(
          Ref.update(taken, (count) => count + 1),
          Deferred.succeed(first, undefined),
        )
      const fiber = yield* Effect.forkChild(Effect.asVoid(streamDag(content, () => Effect.asVoid(take()))))
      yield* Deferred.await(first)
      const exit = yield* Effect.exit(Effect.andThen(Fiber.interrupt(fiber), Fiber.join(fiber)))
      assert.isTrue(Exit.hasInterrupts(exit))
      yield* Deferred.await(ended)
      const before = yield* Ref.get(taken)
      for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => nextTurn())
      assert.strictEqual(yield* Ref.get(taken), before)
    }),
  )
})

describe("The DAG of a file that is hashed off the event loop", () => {
  it.effect.each([0, 1, 262_143, 262_144, MIB, MIB + 1, MIB + 300_000, 20 * MIB + 3])(
    "is that of hashing on it, of %i bytes",
    (length) =>
      Effect.gen(function* () {
        // A view, as bytes of a request are.
        const bytes = noise(length + 9).subarray(9)
        const off = yield* buildDagOffLoop(bytes)
        const on = buildDag(bytes)
        assert.isTrue(off.root.equals(on.root))
        assert.strictEqual(off.sizeBytes, length)
        assert.deepStrictEqual(
          off.blocks.map(({ cid }) => cid.toString()),
          on.blocks.map(({ cid }) => cid.toString()),
        )
        for (const [index, { bytes }] of off.blocks.entries())
          assert.isTrue(Buffer.from(bytes).equals(on.blocks[index]!.bytes))
      }),
  )

  it.effect("lets the event loop turn while a large file is hashed", () =>
    Effect.gen(function* () {
      let hasTurned = false
      setImmediate(() => (hasTurned = true))
      yield* buildDagOffLoop(noise(3 * HASHES_AT_ONCE * MIB))
      assert.isTrue(hasTurned)
    }),
  )

  it.live("begins no more hashes once it is interrupted", () =>
    Effect.gen(function* () {
      const digest = yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(webcrypto.subtle, "digest")),
        (spy) => Effect.sync(() => spy.mockRestore()),
      )
      const fiber = yield* Effect.forkChild(buildDagOffLoop(new Uint8Array(64 * MIB)), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      assert.strictEqual(digest.mock.calls.length, HASHES_AT_ONCE)
      for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => nextTurn())
      assert.strictEqual(digest.mock.calls.length, HASHES_AT_ONCE)
    }),
  )
})
