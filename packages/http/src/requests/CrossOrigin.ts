import { Effect } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest } from "effect/http"

/** Which origins may read answers in browsers. */
export interface CrossOriginOptions {
  /** Exact origins; undefined: all. */
  readonly origins: ReadonlyArray<string> | undefined
  readonly exposedHeaders: ReadonlyArray<string>
  /** Prefix of paths that all origins may read in any case. */
  readonly openPrefix: string
}

/** Cross-origin resource sharing, for all routes. */
export const crossOrigin = ({ exposedHeaders, openPrefix, origins }: CrossOriginOptions) => {
  if (origins === undefined) return HttpRouter.cors({ exposedHeaders })
  const open = HttpMiddleware.cors({ exposedHeaders })
  const listed = HttpMiddleware.cors({ exposedHeaders, allowedOrigins: (origin) => origins.includes(origin) })
  return HttpRouter.middleware(
    (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        url.startsWith(openPrefix) ? open(httpEffect) : listed(httpEffect),
      ),
    { global: true },
  )
}
