import { OpenApi } from "effect/http-api"
import { type OpenApiOperation, type OperationChange, withEtag } from "./OpenApiOperation.ts"

/** Summary and description of an endpoint; the summary alone if nothing needs to be added. */
export const describe = (summary: string, description = summary) => OpenApi.annotations({ summary, description })

/** Changes the OpenAPI operation of an endpoint, for what effect's schemas cannot express. */
export const declaring = (change: OperationChange) =>
  OpenApi.annotations({ transform: (operation) => change(operation as OpenApiOperation) })

/** The response has an ETag and is revalidated with If-None-Match (304). */
export const revalidated = declaring(withEtag("no-cache: ask again with If-None-Match"))

/** The same, but `cacheControl` says for how long the response may be used without asking again. */
export const reusable = (cacheControl: string) => declaring(withEtag(cacheControl))
