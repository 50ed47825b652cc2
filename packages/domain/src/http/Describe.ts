import { OpenApi } from "effect/http-api"

/** What the documentation says of an endpoint; the summary alone where nothing is to be added. */
export const describe = (summary: string, description = summary) => OpenApi.annotations({ summary, description })
