import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** Nothing is sent to a disabled endpoint. */
export class EndpointDisabled extends Schema.TaggedError<EndpointDisabled>()("EndpointDisabled", {
  endpoint: field(Schema.String, "Id of the endpoint"),
}) {
  static readonly response = respondWith(EndpointDisabled, {
    status: 409,
    code: "endpoint_disabled",
    message: ({ endpoint }) => `The endpoint ${endpoint} is disabled; enable it first`,
  })
}
