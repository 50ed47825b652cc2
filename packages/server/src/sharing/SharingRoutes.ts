import { respondWith } from "@launch-registry/domain/http/ErrorEnvelope"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { StoredImages } from "@launch-registry/domain/ipfs/StoredImages"
import { sameFor } from "@launch-registry/http/answers/CacheControl"
import { digestOf, isKnown, respondError } from "@launch-registry/http/answers/Respond"
import { staticDocument } from "@launch-registry/http/answers/StaticDocument"
import { Cache, Effect, Exit, Option, Schema, Semaphore } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { drawPicture, IMAGE_SIDE } from "./DrawPicture.ts"
import { PAGE_HEADERS, sharedPage, UNKNOWN_PAGE } from "./SharedPage.ts"
import { sharedTokens } from "./SharedToken.ts"

/** Paths of what links to tokens show, for route lists. */
export const SHARING_ROUTES = [
  ["GET", "/t/:mint"],
  ["GET", "/t/:mint/image.png"],
] as const

/** A picture is some 60 kB, and takes a tenth of a second of a core. */
const PICTURES_MAX = 64
const FRESH_SECONDS = 60
/** One is drawn at a time; so many wait for their turn. */
const WAITING_MAX = 16

/** As many pictures wait as may. It is `Busy` of what the contract does not declare. */
class PicturesWait extends Schema.TaggedError<PicturesWait>()("PicturesWait", {}) {
  static readonly response = respondWith(PicturesWait, {
    status: 503,
    code: "busy",
    message: () => "Too many pictures are being drawn at the moment; retry shortly",
  })
}

const notFound = (mint: string) => new NotFound({ resource: "token", id: mint.slice(0, 64) })

const HTML = { contentType: "text/html; charset=utf-8", headers: PAGE_HEADERS }

/** `GET /t/:mint`, a page for chats and people, and its picture. `site` is the URL of the service, without a slash at its end. */
export const sharingRoutes = (site: string) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const find = yield* sharedTokens
      const images = yield* StoredImages
      const turns = yield* Semaphore.make(1)
      const host = URL.parse(site)?.host ?? ""
      let waiting = 0

      const draw = Effect.fn("Sharing.draw")(function* (mint: string) {
        const token = yield* find(mint)
        if (token === undefined) return yield* notFound(mint)
        const image = token.imageUri === undefined ? Option.none() : yield* images.square(token.imageUri, IMAGE_SIDE)
        const bytes = yield* Effect.promise(() => drawPicture(token, Option.getOrUndefined(image), host))
        return { bytes, etag: `"${digestOf(bytes)}"` }
      })

      const inTurn = Effect.fnUntraced(function* (mint: string) {
        if (waiting >= WAITING_MAX) return yield* new PicturesWait()
        waiting++
        return yield* Effect.ensuring(
          turns.withPermit(draw(mint)),
          Effect.sync(() => waiting--),
        )
      })

      const pictures = yield* Cache.makeWith(inTurn, {
        capacity: PICTURES_MAX,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? FRESH_SECONDS * 1_000 : 0),
      })

      const page = Effect.gen(function* () {
        const { mint = "" } = yield* HttpRouter.params
        const token = yield* find(mint)
        if (token === undefined) return HttpServerResponse.text(UNKNOWN_PAGE, { ...HTML, status: 404 })
        return yield* staticDocument(sharedPage(token, site), HTML)
      })

      const picture = Effect.gen(function* () {
        const { mint = "" } = yield* HttpRouter.params
        const request = yield* HttpServerRequest.HttpServerRequest
        // Those of no launch would take the places of others, in the line and among those that are kept.
        if (!(yield* Cache.has(pictures, mint)) && (yield* find(mint)) === undefined) return yield* notFound(mint)
        const { bytes, etag } = yield* Cache.get(pictures, mint)
        const headers = { etag, "cache-control": sameFor(FRESH_SECONDS) }
        if (isKnown(request.headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers })
        return HttpServerResponse.uint8Array(bytes, { contentType: "image/png", headers })
      }).pipe(
        Effect.catchTags({
          PicturesWait: (error) => respondError(PicturesWait.response, error),
          NotFound: (error) => respondError(NotFound.response, error),
        }),
      )

      yield* router.add(...SHARING_ROUTES[0], page)
      yield* router.add(...SHARING_ROUTES[1], picture)
    }),
  )
