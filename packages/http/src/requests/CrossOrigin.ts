import { Effect } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest } from "effect/http"

/** Which origins may read answers in browsers. */
export interface CrossOriginOptions {
  /** Exact origins; undefined: all. */
  readonly origins: ReadonlyArray<string> | undefined
  readonly exposedHeaders: ReadonlyArray<string>
  /** Prefix of paths that all origins may read in any case. */
  readonly openPrefix: string
  /** Whether no other origin may read a path. */
  readonly isOwn: (path: string) => boolean
}

/** Cross-origin resource sharing, for all routes. */
export const crossOrigin = ({ exposedHeaders, isOwn, openPrefix, origins }: CrossOriginOptions) => {
  const open = HttpMiddleware.cors({ exposedHeaders })
  const listed =
    origins === undefined
      ? open
      : HttpMiddleware.cors({ exposedHeaders, allowedOrigins: (origin) => origins.includes(origin) })
  return HttpRouter.middleware(
    (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
        if (isOwn(url.split("?", 1)[0]!)) return httpEffect
        return url.startsWith(openPrefix) ? open(httpEffect) : listed(httpEffect)
      }),
    { global: true },
  )
}
