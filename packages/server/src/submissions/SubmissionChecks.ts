import { SOL_DECIMALS } from "@launch-registry/domain/amounts/AmountText"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { type TransactionFailure, failureOf } from "@launch-registry/chain/submissions/TransactionFailure"
import { isExecuted } from "@launch-registry/chain/submissions/Executed"
import { BLOCKHASH_BLOCKS } from "@launch-registry/chain/rpc/ChainHead"
import { fewAtOnce } from "@launch-registry/chain/rpc/FewAtOnce"
import type { SignedTransaction } from "@launch-registry/chain/submissions/SignedTransaction"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { RpcError } from "@launch-registry/chain/rpc/RpcError"
import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { InsufficientFunds } from "@launch-registry/domain/solana/InsufficientFunds"
import { BlockhashNotValid, SimulationFailed } from "@launch-registry/domain/submissions/SubmissionErrors"
import { plain } from "@launch-registry/domain/text/PlainText"
import type { Address, Base64EncodedWireTransaction, Blockhash } from "@solana/kit"
import { Effect, Result } from "effect"
import { lookAt } from "./SubmissionLooks.ts"

/** A height this far ahead of a chain is not of it: endpoints in use are at most 150 slots behind. */
const HEIGHTS_AHEAD_MAX = BLOCKHASH_BLOCKS + 1_000n
/** A check asks the chain some five times, and whoever signs with a new key has one made. */
const [CHECKS_AT_ONCE, CHECKS_WAITING] = [32, 224]
const LAMPORTS_PER_SIGNATURE = 5_000n
const LOG_LINES_MAX = 20
const LOG_LENGTH_MAX = 300

/** What was found out about a transaction before it is stored. */
export interface ChainChecks {
  /** Null while no endpoint is available. */
  readonly lastValidBlockHeight: bigint | null
  /** Whether it was simulated, or is not to be: nodes pass it on without simulating it again. */
  readonly skipsPreflight: boolean
}

/** What callers say of their transaction, and what is known here of their wallet. */
export interface CallerChoices {
  readonly lastValidBlockHeight: bigint | undefined
  readonly skipPreflight: boolean
  /** Of the fee payer's submissions that are pending. */
  readonly pendingSignatures: bigint
}

/** Nothing could be checked: it is stored, and checked by the nodes that it is sent to. */
const UNCHECKED = (skipPreflight: boolean): ChainChecks => ({
  ...{ lastValidBlockHeight: null, skipsPreflight: skipPreflight },
})

/** Of the blockhash all endpoints are asked; one that has already landed is followed to its end. */
const NOT_OF_PROGRAM: ReadonlySet<unknown> = new Set(["BlockhashNotFound", "AlreadyProcessed"])

/**
 * The last valid block height of a transaction whose blockhash is valid at `height`: the caller's where it can be true, else the
 * highest that can be. That it is past alone never ends a submission.
 */
export const heightBound = (height: bigint, sent: bigint | undefined): bigint =>
  sent !== undefined && sent >= height && sent <= height + BLOCKHASH_BLOCKS ? sent : height + BLOCKHASH_BLOCKS

/**
 * What the network takes at least for a transaction and for what its fee payer has on its way. Priority fees are left out, so
 * nobody who can pay is refused for them; what has landed a moment ago may still be counted.
 */
const feesOf = ({ signers }: SignedTransaction, pendingSignatures: bigint): bigint =>
  LAMPORTS_PER_SIGNATURE * (pendingSignatures + BigInt(signers.length))

/** Without a verdict of a node: one may not simulate, or not in time. Those that it is sent to simulate it then. */
const isUnanswered = (error: { readonly _tag: string }): error is RpcError => error._tag === "RpcError"
/** JSON-RPC 2.0: of a simulation, the node finds the bytes to be no transaction. */
const INVALID_PARAMS = -32602
const unknown = Effect.succeed(false)
/** Whether the transaction was simulated. */
type Verdict = Effect.Effect<boolean, InsufficientFunds | InvalidRequest | SimulationFailed | RpcError>

/** The checks of a signed transaction against the chain. */
export const submissionChecks = (rpc: Rpc["Service"]) => {
  const blockHeight = rpc.call((kit) => kit.getBlockHeight({ commitment: "confirmed" }))
  const isValidAt =
    (blockhash: string) =>
    (call: Rpc["Service"]["call"]): Effect.Effect<boolean, RpcError> =>
      Effect.map(
        call((kit) => kit.isBlockhashValid(blockhash as Blockhash, { commitment: "processed" })),
        ({ value }) => value,
      )

  const simulate = ({ bytes }: SignedTransaction) =>
    rpc
      .call((kit) =>
        kit.simulateTransaction(Buffer.from(bytes).toString("base64") as Base64EncodedWireTransaction, {
          ...{ encoding: "base64", commitment: "processed", sigVerify: true },
        }),
      )
      .pipe(
        Effect.mapError((error) =>
          error.reason._tag === "Rejected" && error.reason.code === INVALID_PARAMS
            ? InvalidRequest.at("body.transaction", plain(error.reason.detail, LOG_LENGTH_MAX))
            : error,
        ),
      )

  const balance = (address: string) =>
    Effect.map(
      rpc.call((kit) => kit.getBalance(address as Address, { commitment: "processed" })),
      ({ value }) => BigInt(value),
    )

  /** Whether any endpoint knows the signature: who is told that it has expired signs another transaction. */
  const isKnown = (signature: string) =>
    Effect.map(lookAt(rpc, [signature], true), ([answers = []]) =>
      answers.some((answer) => Result.isSuccess(answer) && answer.success.sighting !== undefined),
    )

  /** An endpoint may be a few slots behind the one that gave the blockhash. */
  const isValidAnywhere = Effect.fnUntraced(function* (blockhash: string) {
    if (yield* isValidAt(blockhash)(rpc.call)) return true
    const answers = yield* rpc.onEach(isValidAt(blockhash))
    return answers.some(({ result }) => Result.isSuccess(result) && result.success)
  })

  const blockhashNotValid = Effect.fnUntraced(function* (blockhash: string, height: bigint, sent: bigint | undefined) {
    const { endpoints } = yield* rpc.report
    return yield* new BlockhashNotValid({
      blockhash,
      reason:
        sent === undefined
          ? "unknown"
          : sent < height
            ? "expired"
            : sent > height + HEIGHTS_AHEAD_MAX
              ? "another_cluster"
              : "unknown",
      blockHeight: String(height),
      genesisHash: endpoints.find(({ genesisHash }) => genesisHash !== null)?.genesisHash ?? null,
    })
  })

  const cannotPay = (signed: SignedTransaction, pendingSignatures: bigint, lamports: bigint) =>
    InsufficientFunds.of(
      signed.signers[0]!,
      { mint: NATIVE_MINT, decimals: SOL_DECIMALS },
      lamports,
      feesOf(signed, pendingSignatures),
    )

  /** Whether the simulation said anything about the transaction. */
  const simulated = Effect.fnUntraced(function* (signed: SignedTransaction, pendingSignatures: bigint) {
    const { value } = yield* simulate(signed)
    const { err } = value
    if (err === null) return true
    if (NOT_OF_PROGRAM.has(err)) return err === "AlreadyProcessed"
    if (isExecuted(err) === false)
      return yield* cannotPay(signed, pendingSignatures, yield* balance(signed.signers[0]!))
    const logs = value.logs ?? []
    const failure: TransactionFailure = yield* Effect.promise(() => failureOf(err, signed.programs, logs))
    return yield* new SimulationFailed({
      failure,
      logs: logs.slice(-LOG_LINES_MAX).map((line) => plain(line, LOG_LENGTH_MAX)),
    })
  })

  /** Whether the fee payer holds the fees of what is on its way and of this. */
  const canPay = Effect.fnUntraced(function* (signed: SignedTransaction, pendingSignatures: bigint) {
    const lamports = yield* balance(signed.signers[0]!)
    if (lamports < feesOf(signed, pendingSignatures)) return yield* cannotPay(signed, pendingSignatures, lamports)
    return true
  })

  /**
   * A simulation knows nothing of what else the fee payer has on its way; without any, its verdict is enough. Where nodes give
   * none, the balance still counts.
   */
  const simulatedAndPaid = (signed: SignedTransaction, pendingSignatures: bigint): Verdict => {
    const paid: Verdict = canPay(signed, pendingSignatures)
    const verdict: Verdict = simulated(signed, pendingSignatures)
    if (pendingSignatures === 0n) return Effect.catchIf(verdict, isUnanswered, () => Effect.as(paid, false))
    const payable = Effect.catchIf(paid, isUnanswered, () => unknown)
    return Effect.flatMap(Effect.all([Effect.result(verdict), payable], { concurrency: 2 }), ([outcome]) =>
      Effect.fromResult(outcome),
    )
  }

  const checked = Effect.fnUntraced(function* (signed: SignedTransaction, choices: CallerChoices) {
    const { blockhash, signature } = signed
    const { lastValidBlockHeight: sent, pendingSignatures, skipPreflight } = choices
    // Not simulated, at least nobody without SOL can fill the queue.
    const verdict: Verdict = skipPreflight
      ? canPay(signed, pendingSignatures)
      : simulatedAndPaid(signed, pendingSignatures)
    const [height, isValid, outcome] = yield* Effect.all(
      [blockHeight, isValidAnywhere(blockhash), Effect.result(verdict)],
      { concurrency: "unbounded" },
    )
    // Of a transaction that its wallet has sent as well, the blockhash may have expired meanwhile.
    if (!isValid && !(yield* isKnown(signature))) return yield* blockhashNotValid(blockhash, height, sent)
    const isSimulated = isValid ? yield* Effect.catchIf(Effect.fromResult(outcome), isUnanswered, () => unknown) : true
    return { lastValidBlockHeight: heightBound(height, sent), skipsPreflight: skipPreflight || isSimulated }
  })

  const inTurn = fewAtOnce(CHECKS_AT_ONCE, CHECKS_WAITING, () => new Busy({ resource: "submissions" }))

  /** While no endpoint answers, nothing can be checked. */
  return Effect.fn("checkSubmission")((signed: SignedTransaction, choices: CallerChoices) =>
    inTurn(
      checked(signed, choices).pipe(
        Effect.catchTag("RpcError", () => Effect.succeed(UNCHECKED(choices.skipPreflight))),
      ),
    ),
  )
}
