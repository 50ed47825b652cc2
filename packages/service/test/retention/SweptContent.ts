import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import type { FileDag } from "@launch-registry/ipfs/content/Dag"
import { IpfsContent } from "@launch-registry/ipfs/content/IpfsContent"
import { uploadReferences } from "@launch-registry/server/ipfs/UploadReferences"
import { IndexerStatus } from "@launch-registry/server/system/IndexerStatus"
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** An index that is led and has every launch up to the finalized slot. */
export const provenIndex = Effect.gen(function* () {
  const sql = yield* SqlClient
  const report = { originSlot: "100", finalizedSlot: "300", source: "poll", problem: null, otherCluster: null }
  yield* sql`insert into leases (name, holder, token, expires_at) values ('indexer', 'replica-1', 1, '2100-01-01')`
  yield* sql`update indexer_progress set module_hash = 'modules', log_offset = 7, slot = 310`
  yield* sql`
    insert into indexer_reports (name, report, reported_at)
    values ('leader', ${JSON.stringify(report)}::text::jsonb, '2100-01-01')`
  yield* sql`
    insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (100, 300, 'rpc', now(), 7)`
})

const contentOver = (status: typeof IndexerStatus.layer) =>
  Layer.effectDiscard(provenIndex).pipe(
    Layer.provideMerge(Layer.mergeAll(IpfsContent.layer, uploadReferences)),
    Layer.provideMerge(status),
    Layer.provideMerge(TestDatabase.layer),
    Layer.provideMerge(Logger.layer([])),
  )

/** The stored content with what names it, over an index that is proven. */
export const sweptContent = contentOver(IndexerStatus.layer)

/** The same for sweeps in real time: health has a deadline, which a busy machine may miss. */
export const contentOverUpIndex = contentOver(
  Layer.effect(
    IndexerStatus,
    Effect.map(IndexerStatus, ({ report }) =>
      IndexerStatus.of({ report, health: Effect.succeed({ status: "up", detail: "proven" }) }),
    ),
  ).pipe(Layer.provide(IndexerStatus.layer)),
)

const sorted = (rows: ReadonlyArray<{ readonly cid: string }>) => rows.map(({ cid }) => cid).toSorted()

/** CIDs of what is stored. */
export const stored = Effect.gen(function* () {
  const sql = yield* SqlClient
  return {
    uploads: sorted(yield* sql<{ cid: string }>`select cid from ipfs_uploads`),
    blocks: sorted(yield* sql<{ cid: string }>`select cid from ipfs_blocks`),
  }
})

export const cidOf = (dag: FileDag): string => dag.root.toString()
export const blocksOf = (dags: ReadonlyArray<FileDag>): ReadonlyArray<string> =>
  [...new Set(dags.flatMap(({ blocks }) => blocks.map(({ cid }) => cid.toString())))].toSorted()

/** Every block of the content can be read. */
export const isWhole = Effect.fnUntraced(function* (dag: FileDag) {
  const read = yield* (yield* IpfsContent).readDag({ cid: cidOf(dag), sizeBytes: dag.sizeBytes })
  return Option.isSome(read) && blocksOf([read.value]).join() === blocksOf([dag]).join()
})

/** Exactly these uploads are stored, whole, and no block besides. */
export const assertStored = Effect.fnUntraced(function* (dags: ReadonlyArray<FileDag>) {
  const { blocks, uploads } = yield* stored
  assert.deepStrictEqual(uploads, [...new Set(dags.map(cidOf))].toSorted())
  assert.deepStrictEqual(blocks, blocksOf(dags))
})
