import { Context } from "effect"

/**
 * The id of the request being answered, as sent in the `x-request-id` header, written in error bodies and in the log.
 * Set once per request by the server; outside a request it is empty.
 */
export const RequestId = Context.Reference<string>("@launch-registry/domain/http/RequestId", { defaultValue: () => "" })
