import { ENDPOINT_NAME } from "@launch-registry/domain/system/RpcCordons"
import { isReason } from "../cordons/RpcCordons.ts"
import { INDEXER } from "../CommandFile.ts"

/** What the command line of the indexer can be asked to do. */
export type Command =
  | { readonly name: "ingest"; readonly path: string }
  | { readonly name: "backfill" | "repair"; readonly fromSlot: bigint; readonly toSlot: bigint | undefined }
  | { readonly name: "replay" }
  | { readonly name: "refetch"; readonly isConfirmed: boolean }
  | { readonly name: "forgo-history"; readonly fromSlot: bigint; readonly isConfirmed: boolean }
  | { readonly name: "digest" }
  | { readonly name: "status" }
  | { readonly name: "verify-history" }
  | { readonly name: "resend-history"; readonly isConfirmed: boolean }
  | { readonly name: "forget-chain"; readonly isConfirmed: boolean }
  | { readonly name: "cordon"; readonly endpoint: string; readonly reason: string }
  | { readonly name: "uncordon"; readonly endpoint: string }
  | { readonly name: "cordons" }

export const USAGE = `Usage: DATABASE_URL=postgres://... ${INDEXER} <command>
       backfill and repair also need RPC_URL and NETWORK

  ingest <file or folder>       appends raw transactions (getTransaction with encoding json, or raw webhook bodies) from
                                .json files, or one JSON a line from .jsonl files, and folds them
  backfill <from> [<to>]        proves the slots from <from> to <to> (or the finalized slot) against the chain of RPC_URL
                                (and of HELIUS_API_KEY on NETWORK, if set), fetching what is missing
  repair <from> [<to>]          reads the transactions of these slots again from that chain, also where they are proven, and replaces what
                                differs in the log or the tables. It is a job: one that is killed goes on when the command is repeated,
                                or with the service. Cancel it with DELETE /api/system/indexer/jobs/<id>
  replay                        derives all tables from the log again in another schema, compares, and swaps them
                                Of slots that retention deleted from the log, trades and events are copied as they are
  refetch --yes                 forgets that slots were deleted from the log and proven: the next comparison with the chain
                                fetches their transactions again
  forgo-history <slot> --yes    migrated pools with slots that no endpoint can prove any more are proven from <slot> on only: trades
                                before it stay unproven, and retention does not wait for them
  digest                        prints the digest of every derived table
  status                        prints which chain the index is of, what is in the log, what is folded and which slots are proven
  verify-history                compares the trades that PostgreSQL and the ClickHouse of HISTORY_URL both have, and names the slots in which
                                they differ
  resend-history --yes          has the leading indexer replace all trades of PostgreSQL in ClickHouse
  forget-chain --yes            empties the index, for another chain: what was received, derived and proven. What clients
                                registered and recorded stays. Refused while a service leads: stop it first
  cordon <endpoint> <reason>    takes an RPC endpoint out of use in every running service: primary, backup, backup-2 and so on, as
                                /api/system/rpc names them, which shows the reason (one line of up to 200 characters) to everybody
  uncordon <endpoint>           puts it back into use
  cordons                       prints which endpoints are cordoned, and why

DATA_FOLDER=<folder> in place of DATABASE_URL is the embedded database of a service that is stopped.
Commands that write lead while they run: a running service makes room for them and goes on afterwards.`

const slot = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^\d{1,10}$/.test(text) ? BigInt(text) : undefined

/** The command in the arguments; `undefined` when they are none. */
export const readCommand = (args: ReadonlyArray<string>): Command | undefined => {
  const [name, first, second, ...rest] = args
  if (rest.length > 0) return undefined
  if (name === "ingest" && first !== undefined && second === undefined) return { name, path: first }
  if (name === "backfill" || name === "repair") {
    const [fromSlot, toSlot] = [slot(first), slot(second)]
    if (fromSlot === undefined || (second !== undefined && toSlot === undefined)) return undefined
    return toSlot !== undefined && toSlot < fromSlot ? undefined : { name, fromSlot, toSlot }
  }
  if (name === "forgo-history") {
    const fromSlot = slot(first)
    if (fromSlot === undefined || (second !== undefined && second !== "--yes")) return undefined
    return { name, fromSlot, isConfirmed: second === "--yes" }
  }
  if (
    (name === "digest" || name === "replay" || name === "status" || name === "cordons" || name === "verify-history") &&
    first === undefined
  )
    return { name }
  if (
    (name === "forget-chain" || name === "refetch" || name === "resend-history") &&
    second === undefined &&
    (first === undefined || first === "--yes")
  )
    return { name, isConfirmed: first === "--yes" }
  if (first !== undefined && ENDPOINT_NAME.test(first)) {
    const reason = second?.trim() ?? ""
    if (name === "cordon" && isReason(reason)) return { name, endpoint: first, reason }
    if (name === "uncordon" && second === undefined) return { name, endpoint: first }
  }
  return undefined
}
