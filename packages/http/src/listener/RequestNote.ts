import { UNMATCHED } from "./RequestFigures.ts"

const NOTE = Symbol("@launch-registry/http/RequestNote")

/** What becomes known of a request inside the router, for its figures and its line of the access log. */
export interface RequestNote {
  /** The path as declared. */
  route: string
  requestId: string | undefined
  /** Why it was refused, in words of a fixed set. */
  refusal?: string
  /** Of the trace that the request belongs to, if it is recorded. */
  span?: { readonly traceId: string; readonly spanId: string }
}

/** The note of a request of Node, which is the `source` of Effect's request. */
export const noteOf = (request: object): RequestNote => {
  const noted = request as { [NOTE]?: RequestNote }
  return (noted[NOTE] ??= { route: UNMATCHED, requestId: undefined })
}
