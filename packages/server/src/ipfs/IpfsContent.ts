import { Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CID } from "multiformats/cid"
import { childrenOf, type FileDag } from "./Dag.ts"

/** What an upload is kept with. */
export interface UploadInfo {
  readonly contentType: string
  readonly fileName?: string
}

/** Content that was uploaded here. */
export interface StoredContent {
  readonly cid: string
  readonly contentType: string
  readonly sizeBytes: number
}

/** Bytes of a file from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The embedded IPFS store: owner of `ipfs_blocks` and `ipfs_uploads`. Content is in the database, durable before it is
 * acknowledged, and each block once. Only content that was uploaded here is ever found.
 */
export class IpfsContent extends Context.Service<
  IpfsContent,
  {
    readonly store: (dag: FileDag, info: UploadInfo) => Effect.Effect<StoredContent>
    readonly find: (cid: string) => Effect.Effect<Option.Option<StoredContent>>
    /** The bytes of a range, block by block. */
    readonly read: (cid: string, range: ByteRange) => Stream.Stream<Uint8Array>
    readonly lastUploadAt: Effect.Effect<Option.Option<Date>>
  }
>()("@launch-registry/server/ipfs/IpfsContent") {
  static readonly layer = Layer.effect(
    IpfsContent,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const insertBlock = (cid: string, bytes: Uint8Array) =>
        sql`insert into ipfs_blocks (cid, bytes) values (${cid}, ${bytes}) on conflict (cid) do nothing`

      const store = Effect.fn("IpfsContent.store")(function* (dag: FileDag, { contentType, fileName }: UploadInfo) {
        const cid = dag.root.toString()
        const createdAt = new Date(yield* Clock.currentTimeMillis)
        yield* Effect.gen(function* () {
          for (const block of dag.blocks) yield* insertBlock(block.cid.toString(), block.bytes)
          // The type of the first upload stands: the gateway has promised it to caches.
          yield* sql`
            insert into ipfs_uploads (cid, content_type, size_bytes, file_name, created_at)
            values (${cid}, ${contentType}, ${dag.sizeBytes}::bigint, ${fileName ?? null}, ${createdAt})
            on conflict (cid) do nothing`
        }).pipe(sql.withTransaction, Effect.orDie)
        return { cid, contentType, sizeBytes: dag.sizeBytes }
      })

      const find = Effect.fn("IpfsContent.find")(function* (cid: string) {
        const [row] = yield* sql<{ contentType: string; sizeBytes: bigint }>`
          select content_type, size_bytes from ipfs_uploads where cid = ${cid}`.pipe(Effect.orDie)
        return row === undefined
          ? Option.none()
          : Option.some({ cid, contentType: row.contentType, sizeBytes: Number(row.sizeBytes) })
      })

      const readBlock = (cid: CID) =>
        sql<{ bytes: Uint8Array }>`select bytes from ipfs_blocks where cid = ${cid.toString()}`.pipe(
          Effect.orDie,
          Effect.flatMap(([row]) =>
            row === undefined ? Effect.die(new Error(`Block ${cid.toString()} is missing`)) : Effect.succeed(row.bytes),
          ),
        )

      /** `start` and `end` relative to the file below `cid`. */
      const readNode = (cid: CID, { end, start }: ByteRange): Stream.Stream<Uint8Array> =>
        Stream.unwrap(
          Effect.map(readBlock(cid), (bytes) => {
            const children = childrenOf(cid, bytes)
            if (children === undefined) return Stream.succeed(bytes.subarray(start, end))
            let at = 0
            const parts = children.flatMap((child) => {
              const from = at
              at += child.fileBytes
              const range = { start: Math.max(start - from, 0), end: Math.min(end - from, child.fileBytes) }
              return range.end > range.start ? [{ cid: child.cid, range }] : []
            })
            return Stream.flatMap(Stream.fromIterable(parts), (part) => readNode(part.cid, part.range))
          }),
        )

      const lastUploadAt = sql<{ createdAt: Date }>`
        select created_at from ipfs_uploads order by created_at desc limit 1`.pipe(
        Effect.orDie,
        Effect.map(([row]) => Option.fromNullishOr(row?.createdAt)),
      )

      return IpfsContent.of({ store, find, read: (cid, range) => readNode(CID.parse(cid), range), lastUploadAt })
    }),
  )
}
