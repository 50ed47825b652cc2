import { Context } from "effect"

/** Id of the current request, as in the `x-request-id` header, error bodies and the log. Empty outside of a request. */
export const RequestId = Context.Reference<string>("@launch-registry/domain/http/RequestId", { defaultValue: () => "" })
