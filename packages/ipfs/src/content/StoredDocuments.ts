import { DocumentImages } from "@launch-registry/domain/ipfs/DocumentImages"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { cidOf } from "./MetadataDocument.ts"

/** Largest document that is read for a row of a list, in bytes: a description of 5,000 characters fits in most scripts. */
export const LISTED_BYTES_MAX = 16_384

interface DocumentRow {
  readonly cid: string
  readonly bytes: Uint8Array
}

/** Stored metadata documents, which are one block each: those that are small enough to be read for each row of a list. */
export const storedDocuments = (sql: SqlClient, cids: ReadonlyArray<string>) => sql<DocumentRow>`
  select u.cid, b.bytes from ipfs_uploads u join ipfs_blocks b on b.cid = u.cid
  where u.cid = ${anyKey(sql, cids, "text")} and u.content_type = 'application/json'
    and u.size_bytes <= ${LISTED_BYTES_MAX}::bigint`

/** Of documents that the embedded store has, at our gateway (`<gatewayUrl>/<cid>`) or as `ipfs://<cid>`. */
export const documentImages = ({ gatewayUrl }: { readonly gatewayUrl: string }) =>
  Layer.effect(
    DocumentImages,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const find = Effect.fn("DocumentImages.find")(function* (uris: ReadonlyArray<string>) {
        const named = uris.flatMap((uri) => {
          const cid = cidOf(uri, gatewayUrl)
          return cid === undefined ? [] : [{ uri, cid }]
        })
        if (named.length === 0) return new Map<string, string>()
        const rows = yield* Effect.orDie(storedDocuments(sql, [...new Set(named.map(({ cid }) => cid))]))
        const images = new Map(rows.map(({ bytes, cid }) => [cid, imageIn(bytes)]))
        return new Map(
          named.flatMap(({ cid, uri }) => {
            const image = images.get(cid)
            return image === undefined ? [] : [[uri, image] as const]
          }),
        )
      })

      return DocumentImages.of({ find })
    }),
  )

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ image: Schema.optionalKey(Schema.String) })),
)

const imageIn = (bytes: Uint8Array): string | undefined =>
  Option.getOrUndefined(decode(new TextDecoder().decode(bytes)))?.image
