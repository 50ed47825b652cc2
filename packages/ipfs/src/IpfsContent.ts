import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Clock, Context, Effect, Layer, Option, type Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CID } from "multiformats/cid"
import type { FileDag } from "./Dag.ts"
import { BlockCache } from "./gateway/BlockCache.ts"
import { type ReadBlock, readFileBytes } from "./gateway/DagWalk.ts"
import { linksOf } from "./retention/UploadLinks.ts"

/** What is stored about an upload. */
export interface UploadInfo {
  readonly contentType: string
}

/** Content that was uploaded here. */
export interface StoredContent {
  readonly cid: string
  readonly contentType: string
  readonly sizeBytes: number
}

/** Content that was uploaded here, and its root block. */
export interface StoredFile extends StoredContent {
  readonly rootBytes: Uint8Array
}

/** A block, and the upload whose root it is. */
interface StoredBlock {
  readonly bytes: Uint8Array
  readonly upload: StoredContent | undefined
}

const isRoot = ({ upload }: StoredBlock): boolean => upload !== undefined

/** Cached blocks, in bytes, by default. */
const CACHE_BYTES_MAX = 64 * 1024 * 1024

/** Bytes of a file from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The embedded IPFS store: owner of `ipfs_blocks` and `ipfs_uploads`. Content is durable in the database before an upload is
 * answered, each block once. Only content that was uploaded here is found. CIDs are version 1 in base32.
 */
export class IpfsContent extends Context.Service<
  IpfsContent,
  {
    /** `addedBytes`: of the blocks that were not stored before. */
    readonly store: (dag: FileDag, info: UploadInfo) => Effect.Effect<StoredContent & { readonly addedBytes: number }>
    /** One query, or none if it is cached. */
    readonly find: (cid: string) => Effect.Effect<Option.Option<StoredFile>>
    /** The bytes of a range, block by block. */
    readonly read: (cid: string, range: ByteRange) => Stream.Stream<Uint8Array>
    /** Any block of uploaded content. */
    readonly readBlock: (cid: string) => Effect.Effect<Option.Option<Uint8Array>>
    /** Starts reading a block: a single reader of a large file gets it 1.4 times as fast. */
    readonly readBlockAhead: ReadBlock
    readonly lastUploadAt: Effect.Effect<Option.Option<Date>>
    /** Empties the cache, which may hold content that was deleted. */
    readonly forgetCached: Effect.Effect<void>
  }
>()("@launch-registry/ipfs/IpfsContent") {
  /** `cacheBytesMax`: size of the block cache, which evicts the least recently used; 0 disables it. */
  static readonly layerWith = (options: { readonly cacheBytesMax: number }) =>
    Layer.effect(
      IpfsContent,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const moment = yield* sharedClock

        /** The bytes that it adds. */
        const insertBlock = (cid: string, bytes: Uint8Array) =>
          Effect.map(
            sql`insert into ipfs_blocks (cid, bytes) values (${cid}, ${bytes}) on conflict (cid) do nothing returning cid`,
            (added) => (added.length === 0 ? 0 : bytes.length),
          )

        const store = Effect.fn("IpfsContent.store")(function* (dag: FileDag, { contentType }: UploadInfo) {
          const cid = dag.root.toString()
          const createdAt = new Date(yield* Clock.currentTimeMillis)
          const { now } = yield* moment
          const addedBytes = yield* Effect.gen(function* () {
            // First, because a sweep locks in this order too. The first content type wins: the gateway answers it as immutable.
            yield* sql`
              insert into ipfs_uploads (cid, content_type, size_bytes, created_at, used_at, links)
              values (${cid}, ${contentType}, ${dag.sizeBytes}::bigint, ${createdAt}, ${now},
                ${linksOf(dag, contentType)}::text[])
              on conflict (cid) do update set used_at = excluded.used_at`
            let addedBytes = 0
            const blocks = new Map(dag.blocks.map((block) => [block.cid.toString(), block.bytes]))
            // Locked, so that no sweep deletes what is not stored again.
            const present = yield* sql<{ cid: string }>`
              select cid from ipfs_blocks where ${sql.in("cid", [...blocks.keys()])} order by cid for key share`
            for (const { cid } of present) blocks.delete(cid)
            // In a fixed order, so that two uploads that share blocks cannot deadlock.
            for (const name of [...blocks.keys()].toSorted()) addedBytes += yield* insertBlock(name, blocks.get(name)!)
            return addedBytes
          }).pipe(sql.withTransaction, Effect.orDie)
          return { cid, contentType, sizeBytes: dag.sizeBytes, addedBytes }
        })

        const load = Effect.fn("IpfsContent.load")(function* (cid: string) {
          const [row] = yield* sql<BlockRow>`
          select b.bytes, u.content_type, u.size_bytes
          from ipfs_blocks b left join ipfs_uploads u on u.cid = b.cid where b.cid = ${cid}`.pipe(Effect.orDie)
          return row === undefined ? Option.none() : Option.some(blockOf(cid, row))
        })
        const cache = new BlockCache<StoredBlock>({
          bytesMax: options.cacheBytesMax,
          bytesOf: ({ bytes }) => bytes.length,
          // The driver returns views of larger buffers.
          detached: ({ bytes, upload }) => ({ bytes: bytes.slice(), upload }),
          load,
          scope: yield* Effect.scope,
        })

        const find = (cid: string) => Effect.map(cache.read(cid, isRoot), Option.flatMap(fileOf))
        const readBlock = (cid: string) =>
          Effect.map(
            cache.read(cid),
            Option.map(({ bytes }) => bytes),
          )
        const readBlockAhead: ReadBlock = (cid) =>
          Effect.map(cache.readAhead(cid.toString()), Effect.map(Option.map(({ bytes }) => bytes)))

        const read = (cid: string, range: ByteRange) => readFileBytes(readBlockAhead, { cid: CID.parse(cid), ...range })

        const lastUploadAt = sql<{ createdAt: Date }>`
        select created_at from ipfs_uploads order by created_at desc limit 1`.pipe(
          Effect.orDie,
          Effect.map(([row]) => Option.fromNullishOr(row?.createdAt)),
        )

        const forgetCached = Effect.sync(() => cache.clear())
        return IpfsContent.of({ store, find, read, readBlock, readBlockAhead, lastUploadAt, forgetCached })
      }),
    )

  static readonly layer = IpfsContent.layerWith({ cacheBytesMax: CACHE_BYTES_MAX })
}

/** A block joined with the upload of the same CID. */
interface BlockRow {
  readonly bytes: Uint8Array
  readonly contentType: string | null
  readonly sizeBytes: bigint | null
}

const blockOf = (cid: string, { bytes, contentType, sizeBytes }: BlockRow): StoredBlock => {
  const upload = contentType === null ? undefined : { cid, contentType, sizeBytes: Number(sizeBytes) }
  return { bytes, upload }
}

const fileOf = ({ bytes, upload }: StoredBlock): Option.Option<StoredFile> =>
  upload === undefined ? Option.none() : Option.some({ ...upload, rootBytes: bytes })
