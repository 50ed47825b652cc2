import { UnsupportedContentEncoding, UnsupportedContentType } from "@launch-registry/domain/http/RequestErrors"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Maximum length of a repeated value. */
const ECHO_MAX = 100

type Headers = HttpServerRequest.HttpServerRequest["headers"]

/** Whether a request announces a body. */
export const announcesBody = (headers: Headers): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/**
 * Fails unless a body is of a `supported` media type, which it has to name: browsers send bodies of other types, and without one,
 * for pages of other sites without asking. Nor is a body decoded.
 */
export const checkContentHeaders = (
  headers: Headers,
  supported: ReadonlyArray<string>,
): Effect.Effect<void, UnsupportedContentEncoding | UnsupportedContentType> => {
  const contentType = headers["content-type"]?.split(";")[0]!.trim().toLowerCase() ?? ""
  if (!supported.includes(contentType))
    return Effect.fail(new UnsupportedContentType({ contentType: contentType.slice(0, ECHO_MAX), supported }))
  const coding = headers["content-encoding"]?.trim() ?? ""
  return coding === "" || coding.toLowerCase() === "identity"
    ? Effect.void
    : Effect.fail(new UnsupportedContentEncoding({ contentEncoding: coding.slice(0, ECHO_MAX) }))
}
