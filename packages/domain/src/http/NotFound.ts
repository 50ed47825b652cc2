import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { field } from "./Field.ts"

/** What can be missing, and what is said of it. */
const MISSING = {
  config: (id: string) => `DBC config ${id} is not on chain and was not built here`,
  content: (id: string) => `Content ${id} is not stored here`,
  dead_letter: (id: string) => `No dead letter has the id ${id}: it may have been decoded by a replay since`,
  endpoint: (id: string) => `You have no endpoint ${id}`,
  indexer_job: (id: string) => `No indexer job has the id ${id}`,
  message: (id: string) => `You have no message ${id}, or it is no longer stored`,
  mint: (id: string) => `There is no token mint at ${id}`,
  pool: (id: string) => `No bonding curve pool was found for mint ${id}`,
  rpc_endpoint: (id: string) => `No RPC endpoint has the name ${id}; GET /api/system/rpc lists them`,
  submission: (id: string) => `No transaction ${id} was submitted here, or it is no longer kept`,
  swap: (id: string) => `No swap ${id} was quoted here`,
  token: (id: string) => `Token ${id} is not registered`,
  transaction: (id: string) => `Transaction ${id} is not recorded`,
} as const

/** What the request names does not exist here, is not known yet, or was deleted. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  resource: field(Schema.Literals(Object.keys(MISSING) as Array<keyof typeof MISSING>), "What is missing"),
  id: field(Schema.String, "What the request names it by: an id, an address, a signature or a CID"),
}) {
  static readonly response = respondWith(NotFound, {
    status: 404,
    code: "not_found",
    message: ({ id, resource }) => MISSING[resource](id),
  })
}
