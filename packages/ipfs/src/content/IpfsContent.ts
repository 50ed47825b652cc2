import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CID } from "multiformats/cid"
import { type Block, type FileDag, leavesOf } from "./Dag.ts"
import { linksOf } from "./UploadLinks.ts"

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

/**
 * The embedded IPFS store: owner of `ipfs_blocks` and `ipfs_uploads`. Content is durable in the database before an upload is
 * answered, each block once. Only content that was uploaded here is found. CIDs are version 1 in base32.
 */
export class IpfsContent extends Context.Service<
  IpfsContent,
  {
    /** `isNew`: it was not stored before. */
    readonly store: (dag: FileDag, info: UploadInfo) => Effect.Effect<StoredContent & { readonly isNew: boolean }>
    readonly find: (cid: string) => Effect.Effect<Option.Option<StoredFile>>
    /** Any block of uploaded content. */
    readonly readBlock: (cid: CID) => Effect.Effect<Option.Option<Block>>
    /** All blocks of uploaded content; none if one is missing. */
    readonly readDag: (content: Pick<StoredContent, "cid" | "sizeBytes">) => Effect.Effect<Option.Option<FileDag>>
    readonly lastUploadAt: Effect.Effect<Date | undefined>
  }
>()("@launch-registry/ipfs/content/IpfsContent") {
  static readonly layer = Layer.effect(
    IpfsContent,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const moment = yield* sharedClock

      const store = Effect.fn("IpfsContent.store")(function* (dag: FileDag, { contentType }: UploadInfo) {
        const cid = dag.root.toString()
        const createdAt = new Date(yield* Clock.currentTimeMillis)
        const { now } = yield* moment
        const isNew = yield* Effect.gen(function* () {
          // First, because a sweep locks in this order too. The first content type wins: the gateway answers it as immutable.
          const [upload] = yield* sql<{ readonly isNew: boolean }>`
            insert into ipfs_uploads (cid, content_type, size_bytes, created_at, used_at, links)
            values (${cid}, ${contentType}, ${dag.sizeBytes}::bigint, ${createdAt}, ${now},
              ${linksOf(dag, contentType)}::text[])
            on conflict (cid) do update set used_at = excluded.used_at returning xmax = 0 as is_new`
          const blocks = new Map(dag.blocks.map((block) => [block.cid.toString(), block.bytes]))
          // Locked, so that no sweep deletes what is not stored again.
          const present = yield* sql<{ cid: string }>`
            select cid from ipfs_blocks where ${sql.in("cid", [...blocks.keys()])} order by cid for key share`
          for (const { cid } of present) blocks.delete(cid)
          // In a fixed order, so that two uploads that share blocks cannot deadlock.
          for (const name of [...blocks.keys()].toSorted())
            yield* sql`insert into ipfs_blocks (cid, bytes) values (${name}, ${blocks.get(name)!}) on conflict (cid) do nothing`
          return upload!.isNew
        }).pipe(sql.withTransaction, Effect.orDie)
        return { cid, contentType, sizeBytes: dag.sizeBytes, isNew }
      })

      const find = Effect.fn("IpfsContent.find")(function* (cid: string) {
        const [row] = yield* sql<Omit<StoredFile, "sizeBytes"> & { readonly sizeBytes: bigint }>`
          select u.cid, u.content_type, u.size_bytes, b.bytes as root_bytes
          from ipfs_uploads u join ipfs_blocks b on b.cid = u.cid where u.cid = ${cid}`.pipe(Effect.orDie)
        return Option.map(Option.fromNullishOr(row), (file) => ({ ...file, sizeBytes: Number(file.sizeBytes) }))
      })

      const readBlock = Effect.fn("IpfsContent.readBlock")(function* (cid: CID) {
        const [row] = yield* sql<{ readonly bytes: Uint8Array }>`
          select bytes from ipfs_blocks where cid = ${cid.toString()}`.pipe(Effect.orDie)
        return Option.map(Option.fromNullishOr(row), ({ bytes }): Block => ({ cid, bytes }))
      })

      const readDag = Effect.fn("IpfsContent.readDag")(function* (content: Pick<StoredContent, "cid" | "sizeBytes">) {
        const root = CID.parse(content.cid)
        const first = yield* readBlock(root)
        if (Option.isNone(first)) return Option.none<FileDag>()
        const cids = new Map(leavesOf(first.value).map(({ cid }) => [cid.toString(), cid]))
        const leaves = Option.all(yield* Effect.forEach(cids.values(), readBlock))
        return Option.map(leaves, (leaves): FileDag => ({
          root,
          sizeBytes: content.sizeBytes,
          blocks: [first.value, ...leaves],
        }))
      })

      const lastUploadAt = sql<{ createdAt: Date }>`
        select created_at from ipfs_uploads order by created_at desc limit 1`.pipe(
        Effect.orDie,
        Effect.map(([row]) => row?.createdAt),
      )

      return IpfsContent.of({ store, find, readBlock, readDag, lastUploadAt })
    }),
  )
}
