import { HttpApiEndpoint } from "effect/http-api"
import { ONLY_WITH_OPERATORS } from "../http/AccessErrors.ts"
import { RequiredAccess } from "../access/RequiredAccess.ts"
import { describe } from "../http/Describe.ts"
import { Data, DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { NotFound } from "../http/NotFound.ts"
import { cursorFields } from "../http/Paging.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { DeadLetter, DeadLetterBody, LetterId, PoisonDelivery } from "./DeadLetters.ts"

/** Endpoints for what the indexer received and could not use. */
export const deadLetterEndpoints = [
  HttpApiEndpoint.get("deadLetters", "/api/system/indexer/dead-letters", {
    query: cursorFields,
    success: DataList(DeadLetter),
    error: [NotConfigured.response],
  })
    .annotate(RequiredAccess, "system")
    .annotateMerge(
      describe(
        "List transactions that could not be decoded",
        `With the reason of each, newest in the log first, as a page; \`limit\` is 100 by default. A replay by a version that can decode them removes them. ${ONLY_WITH_OPERATORS}`,
      ),
    ),
  HttpApiEndpoint.get("deadLetter", "/api/system/indexer/dead-letters/:id", {
    params: { id: field(LetterId, "Id of the dead letter: offset in the log and position, such as 42-0") },
    success: Data(DeadLetterBody),
    error: [NotFound.response, NotConfigured.response],
  })
    .annotate(RequiredAccess, "system")
    .annotateMerge(
      describe(
        "Read a transaction that could not be decoded",
        `The transaction as it was received. ${ONLY_WITH_OPERATORS}`,
      ),
    ),
  HttpApiEndpoint.get("poison", "/api/system/indexer/poison", {
    query: cursorFields,
    success: DataList(PoisonDelivery),
    error: [NotConfigured.response],
  })
    .annotate(RequiredAccess, "system")
    .annotateMerge(
      describe(
        "List deliveries that could not be read, or were incomplete",
        `With the reason and the first bytes of each, newest first, as a page; \`limit\` is 100 by default. ${ONLY_WITH_OPERATORS}`,
      ),
    ),
] as const
