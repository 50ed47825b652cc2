import { UNMATCHED } from "./RequestFigures.ts"

const NOTE = Symbol("@launch-registry/http/RequestNote")

/** What becomes known of a request inside the router, for its figures and its line of the access log. */
export interface RequestNote {
  /** The path as declared. */
  route: string
  requestId: string | undefined
}

/** The note of a request of Node, which is the `source` of Effect's request. */
export const noteOf = (request: object): RequestNote => {
  const noted = request as { [NOTE]?: RequestNote }
  return (noted[NOTE] ??= { route: UNMATCHED, requestId: undefined })
}
