import type { Registry } from "./Client.ts"
import type { Submission } from "./generated/Contract.ts"
import type { Refusal } from "./RegistryError.ts"
import { sleep } from "./Waiting.ts"

/** Signs the wire bytes of a transaction and returns them signed; what has signed already stays. */
export type Sign = (transaction: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

/** What the builders answer: `launch.swap`, `launch.create`, `launch.claim` and the others. */
export interface BuiltTransaction {
  /** Base64. */
  readonly transaction: string
  readonly lastValidBlockHeight?: string | undefined
  readonly expiresInSeconds?: number | undefined
  readonly missingPrograms?: ReadonlyArray<string> | undefined
}

/**
 * A transaction, or how it is built when its turn has come: its blockhash is fresh then, while that of one which was built with those before
 * it ages as they land.
 */
export type ToLand = BuiltTransaction | (() => BuiltTransaction | Promise<BuiltTransaction>)

export interface LandOptions {
  readonly sign: Sign
  /** What to wait for; `confirmed` by default. */
  readonly commitment?: "processed" | "confirmed" | "finalized" | undefined
  /** Called with each state of each transaction, from its submission on. */
  readonly onState?: ((submission: Submission, index: number) => void) | undefined
  /** Stops signing and waiting; what was submitted may land all the same. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds between two looks at a submission; 1,000 by default. */
  readonly pollMillis?: number | undefined
}

export interface Landed {
  readonly success: true
  /** In the order of the transactions. */
  readonly submissions: ReadonlyArray<Submission>
}

/**
 * A transaction did not land, and those after it were not signed. `transaction_failed`: its program failed, the fee is paid;
 * `transaction_expired`: build and sign it again, it was signed too late or did not land in time; any other code is the refusal of `launch.submit`
 * or `launch.submission`.
 */
export interface NotLanded extends Refusal {
  readonly refusal?: Refusal
  /** Those before it, which landed, and the failed one last. */
  readonly submissions: ReadonlyArray<Submission>
}

const STATES = ["pending", "processed", "confirmed", "finalized"]

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/** What is too old is not signed, and what was signed too late was not sent. */
const TOO_OLD = "The transaction expired before it was signed: build it again"
const TOO_LATE = "The transaction was signed after it had expired, and was not sent: build it again, and sign it sooner"

/**
 * Has transactions signed and lands them, one after the other, each when the one before has the wanted commitment. The registry sends each
 * until it has landed or cannot any more, also when this page is closed.
 */
export const land = async (
  { launch }: Registry,
  transactions: ToLand | ReadonlyArray<ToLand>,
  { commitment = "confirmed", onState, pollMillis = 1_000, sign, signal }: LandOptions,
): Promise<Landed | NotLanded> => {
  const submissions: Array<Submission> = []
  const expired = (message: string): NotLanded => ({
    success: false,
    code: "transaction_expired",
    message,
    submissions,
  })
  const handedAt = performance.now()
  for (const [index, given] of [transactions].flat().entries()) {
    signal?.throwIfAborted()
    const builtAt = typeof given === "function" ? performance.now() : handedAt
    const built = typeof given === "function" ? await given() : given
    const { expiresInSeconds, lastValidBlockHeight, missingPrograms = [], transaction } = built
    // Nobody signs what cannot land.
    if (missingPrograms.length > 0)
      return {
        ...{ success: false, code: "not_configured", submissions },
        message: `The chain of this registry lacks the programs ${missingPrograms.join(", ")}: GET / says how it gets them`,
      }
    if (expiresInSeconds !== undefined && performance.now() - builtAt >= expiresInSeconds * 1_000)
      return expired(TOO_OLD)
    const signed = await sign(bytesOf(transaction))
    const height = lastValidBlockHeight === undefined ? {} : { lastValidBlockHeight }
    let answer: Awaited<ReturnType<typeof launch.submission | typeof launch.submit>> = await launch.submit(
      { body: { transaction: base64(signed), ...height } },
      { signal },
    )
    let seen: string | undefined
    for (;;) {
      if (!answer.success)
        return {
          ...(answer.code === "blockhash_not_valid" && answer.details.reason === "expired"
            ? expired(TOO_LATE)
            : answer),
          ...{ refusal: answer, submissions },
        }
      const submission: Submission = answer.data
      const { error, isFinal, signature, state } = submission
      if (state !== seen) onState?.(submission, index)
      seen = state
      const isThere = STATES.indexOf(state) >= STATES.indexOf(commitment)
      if (isThere || isFinal) {
        submissions.push(submission)
        if (isThere) break
        return {
          ...{ success: false, code: `transaction_${state}`, submissions },
          message: error?.message ?? `Transaction ${signature} ${state}`,
        }
      }
      await sleep(pollMillis, signal)
      answer = await launch.submission({ signature }, { signal })
    }
  }
  return { success: true, submissions }
}

interface StandardWallet<Account> {
  readonly features: Readonly<Record<string, unknown>> & {
    readonly "solana:signTransaction"?: {
      readonly supportedTransactionVersions?: ReadonlyArray<"legacy" | number>
      readonly signTransaction: (input: {
        readonly account: Account
        readonly transaction: Uint8Array
        readonly chain?: `solana:${string}`
      }) => Promise<ReadonlyArray<{ readonly signedTransaction: Uint8Array }>>
    }
  }
}

/**
 * The newest version of transactions that a wallet of Wallet Standard signs, for `transactionVersion` of a request. With 1 a launch is a single
 * transaction. Asked at run time: what a wallet takes changes with its updates.
 */
export const transactionVersionOf = ({ features }: StandardWallet<never>): 0 | 1 =>
  features["solana:signTransaction"]?.supportedTransactionVersions?.includes(1) === true ? 1 : 0

/** Signs with a wallet of Wallet Standard; `chain` such as `solana:mainnet`. */
export const walletStandardSign =
  <Account>(wallet: StandardWallet<Account>, account: Account, chain?: `solana:${string}`): Sign =>
  async (transaction) => {
    const feature = wallet.features["solana:signTransaction"]
    if (feature === undefined) throw new TypeError("The wallet cannot sign transactions")
    const [output] = await feature.signTransaction({ account, transaction, ...(chain !== undefined && { chain }) })
    return output!.signedTransaction
  }
