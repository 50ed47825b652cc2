import { OpenApi } from "effect/http-api"
import { type OpenApiOperation, type OperationChange, withEtag } from "./OpenApiOperation.ts"

/** What the documentation says of an endpoint; the summary alone where nothing is to be added. */
export const describe = (summary: string, description = summary) => OpenApi.annotations({ summary, description })

/** What the documentation says of an answer that no schema of effect says. */
export const declaring = (change: OperationChange) =>
  OpenApi.annotations({ transform: (operation) => change(operation as OpenApiOperation) })

/** The answer has an ETag: a caller who has it is answered 304. */
export const revalidated = declaring(withEtag("no-cache: ask again with If-None-Match"))
