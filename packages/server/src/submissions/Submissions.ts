import {
  readSigned,
  type SignedFault,
  type SignedTransaction,
} from "@launch-registry/chain/submissions/SignedTransaction"
import { MissingPrograms, programsMissing } from "@launch-registry/chain/localnet/MissingPrograms"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Forbidden } from "@launch-registry/domain/http/AccessErrors"
import { onlyWallet } from "@launch-registry/domain/access/Caller"
import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { SubmissionRecord, SubmitRequest } from "@launch-registry/domain/submissions/Submission"
import { TransactionNotSigned } from "@launch-registry/domain/submissions/SubmissionErrors"
import { notifying } from "@launch-registry/postgres/CommitNotices"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Clock, Context, Effect, Fiber, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Transactions } from "../transactions/Transactions.ts"
import { sendTo } from "./SendSubmission.ts"
import { type ChainChecks, submissionChecks } from "./SubmissionChecks.ts"
import { SubmissionFigures } from "./SubmissionFigures.ts"
import { submissionRoom } from "./SubmissionRoom.ts"
import { SUBMISSION_COLUMNS, type SubmissionRow, toSubmission } from "./SubmissionQueue.ts"
import { ROUND_MILLIS } from "./SubmissionRound.ts"

/** How long an answer waits for the first broadcast. */
const SENDING_MILLIS = 1_000

export interface SubmissionOptions {
  /** The only programs whose instructions are sent; all by default. */
  readonly programs?: ReadonlySet<string> | undefined
}

/** A transaction that passed all checks, or was submitted before. */
export interface Prepared {
  readonly signed: SignedTransaction
  /** Undefined if it was submitted before. */
  readonly checks: ChainChecks | undefined
  readonly record: SubmissionRecord | undefined
}

const refusalOf = (fault: SignedFault) => {
  switch (fault._tag) {
    case "Malformed":
      return InvalidRequest.at("body.transaction", fault.reason)
    case "NotSigned":
      return new TransactionNotSigned({ missing: fault.missing, wrong: fault.wrong })
    case "DurableNonce":
      return InvalidRequest.at(
        "body.transaction",
        `it uses the durable nonce of ${fault.nonceAccount}: it never expires, so it cannot be followed to an end here. Sign it with a recent blockhash`,
      )
  }
}

const make = Effect.fnUntraced(function* ({ programs }: SubmissionOptions) {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const transactions = yield* Transactions
  const moment = yield* sharedClock
  const scope = yield* Effect.scope
  const figures = yield* SubmissionFigures
  const missingPrograms = yield* MissingPrograms
  const requireRoom = submissionRoom(sql)
  const check = submissionChecks(rpc)
  const sending = sendTo(rpc, figures)
  const columns = sql.literal(SUBMISSION_COLUMNS)

  const select = (signature: string) =>
    sql<SubmissionRow>`select ${columns} from launch_submissions s where s.signature = ${signature}`

  /** A wallet may submit what it has signed. */
  const requireSigner = Effect.fnUntraced(function* ({ signers }: SignedTransaction) {
    const only = yield* onlyWallet
    if (only !== undefined && !signers.includes(only))
      return yield* new Forbidden({ reason: "only a wallet that signed the transaction may do this" })
  })

  /** Checks a signed transaction, on the chain as far as that can be asked. Writes nothing. */
  const prepare = Effect.fn("Submissions.prepare")(function* (request: SubmitRequest) {
    const { lastValidBlockHeight, record, skipPreflight = false, transaction } = request
    const signed = yield* Effect.fromResult(
      Result.mapError(readSigned(Uint8Array.from(Buffer.from(transaction, "base64"))), refusalOf),
    )
    yield* requireSigner(signed)
    const refused = programs === undefined ? -1 : signed.programs.findIndex((program) => !programs.has(program))
    if (refused >= 0)
      return yield* new Forbidden({
        reason: `instruction ${refused} calls program ${signed.programs[refused]!}, which is not sent here`,
      })
    const missing = missingPrograms()
    if (missing.some((program) => signed.programs.includes(program)))
      return yield* new NotConfigured({ feature: "launches", reason: programsMissing(missing) })
    if (record !== undefined && !signed.signers.includes(record.userAddress))
      return yield* InvalidRequest.at("body.record.userAddress", "expected a wallet that signed the transaction")
    const known = yield* Effect.orDie(select(signed.signature))
    if (known.length > 0) return { signed, checks: undefined, record }
    const pendingSignatures = yield* requireRoom(signed.signers[0]!)
    const sent = lastValidBlockHeight === undefined ? undefined : BigInt(lastValidBlockHeight)
    const checks = yield* check(signed, { lastValidBlockHeight: sent, skipPreflight, pendingSignatures })
    return { signed, checks, record }
  })

  const insert = Effect.fnUntraced(function* (signed: SignedTransaction, checks: ChainChecks) {
    const at = yield* moment
    const now = new Date(yield* Clock.currentTimeMillis)
    return yield* sql<SubmissionRow>`
      insert into launch_submissions as s (signature, transaction, signers, programs, blockhash, last_valid_block_height,
        skips_preflight, state, version, attempts, sends, next_check_at, created_at, updated_at)
      values (${signed.signature}, ${Buffer.from(signed.bytes)}::bytea, ${signed.signers}::text[], ${signed.programs}::text[],
        ${signed.blockhash}, ${checks.lastValidBlockHeight}::bigint, ${checks.skipsPreflight}, 'pending', 1, 0, 0,
        ${at.after(ROUND_MILLIS)}, ${now}, ${now})
      on conflict (signature) do nothing returning ${columns}, ${notifying(sql, "submissions")}`
  })

  const add = (signed: SignedTransaction, checks: ChainChecks, record: SubmissionRecord | undefined) =>
    Effect.gen(function* () {
      const [added] = yield* insert(signed, checks)
      if (added === undefined || record === undefined) return added
      const { lastValidBlockHeight: height } = checks
      const { id } = yield* transactions.create({
        ...{ ...record, txHash: signed.signature, chain: "solana" },
        ...(height !== null && { lastValidBlockHeight: String(height) }),
      })
      yield* sql`update launch_submissions set record_id = ${id}::uuid where signature = ${signed.signature}`
      return { ...added, recordId: id }
    }).pipe(sql.withTransaction)

  /** Stores it, with its record; the submission that there is, if it was submitted before. */
  const store = ({ checks, record, signed }: Prepared) =>
    Effect.gen(function* () {
      const added = checks === undefined ? undefined : yield* add(signed, checks, record)
      // Submitted before, or by a request at the same time.
      const row = added ?? (yield* select(signed.signature))[0]
      return toSubmission(row!)
    }).pipe(Effect.catchIf((error): error is SqlError => error._tag === "SqlError", Effect.die))

  const sendFirst = Effect.fn("Submissions.send")(function* (signed: SignedTransaction, checks: ChainChecks) {
    const { isTaken } = yield* sending({ transaction: signed.bytes, skipsPreflight: checks.skipsPreflight })
    if (!isTaken) return
    yield* sql`
      update launch_submissions set sends = sends + 1, skips_preflight = true where signature = ${signed.signature}`
  })

  /** Sends it for the first time. Waits until endpoints have answered, for a second at most. */
  const send = ({ checks, signed }: Prepared): Effect.Effect<void> =>
    checks === undefined
      ? Effect.void
      : Effect.gen(function* () {
          // A client that disconnects does not stop it.
          const fiber = yield* Effect.forkIn(Effect.ignore(sendFirst(signed, checks)), scope)
          yield* Effect.timeoutOption(Fiber.await(fiber), SENDING_MILLIS)
        })

  const get = (signature: string) =>
    Effect.flatMap(Effect.orDie(select(signature)), ([row]) =>
      row === undefined
        ? Effect.fail(new NotFound({ resource: "submission", id: signature }))
        : Effect.succeed(toSubmission(row)),
    )

  return { prepare, store, send, get }
})

/**
 * Signed transactions on their way to the chain: writer of `launch_submissions`. A submission is stored before its bytes are
 * sent, so that whatever process lives on sends them; the same signature is stored once.
 */
export class Submissions extends Context.Service<Submissions, Effect.Success<ReturnType<typeof make>>>()(
  "@launch-registry/server/submissions/Submissions",
) {
  static readonly layer = (options: SubmissionOptions = {}) => Layer.effect(Submissions, make(options))
}
