import { Clock, Effect, Redacted } from "effect"
import { HttpConnection } from "../rpc/HttpConnection.ts"
import { parseLossless } from "../rpc/LosslessJson.ts"
import { isFields, isKey, isU64 } from "../rpc/results/Scalars.ts"
import { addHolding, type TokenHoldings } from "./TokenHoldings.ts"

const PAGE_SIZE = 1_000
/** A hundred thousand accounts at most. */
const PAGES_MAX = 100
const [PAGE_DEADLINE_MILLIS, TOTAL_MILLIS] = [5_000, 20_000]

/** Addresses, ids and page numbers have been cursors so far. */
const CURSOR_LENGTH_MAX = 500
const METHOD = "getTokenAccounts"
/** 300 bytes for each of a thousand token accounts, those of Token-2022 with extensions more. */
const ANSWER_BYTES_MAX = 2 * 1024 * 1024

interface DasPage {
  readonly cursor: string | undefined
  readonly accounts: ReadonlyArray<{ readonly owner: string; readonly amount: bigint }>
}

/** An index of digital assets (DAS) that knows the token accounts of a mint, such as that of Helius. */
export class DasIndex {
  readonly #connection: HttpConnection

  constructor(url: Redacted.Redacted) {
    this.#connection = new HttpConnection(url, ANSWER_BYTES_MAX)
  }

  /**
   * The token accounts of a mint, page by page: all of them, or as many as {@link PAGES_MAX} have, as {@link TOTAL_MILLIS} are enough
   * for, or as came before a page failed. Messages do not contain the address, which holds a key.
   */
  holdings(mint: string): Effect.Effect<TokenHoldings> {
    return Effect.gen({ self: this }, function* () {
      const amounts = new Map<string, bigint>()
      const until = (yield* Clock.currentTimeMillis) + TOTAL_MILLIS
      let cursor: string | undefined
      let pages = 0
      while (pages < PAGES_MAX && (yield* Clock.currentTimeMillis) < until) {
        const page: DasPage | undefined = yield* Effect.orElseSucceed(this.#page(mint, cursor), () => undefined)
        if (page === undefined) {
          yield* Effect.logWarning("The DAS index does not answer; of the token accounts only a part is known")
          break
        }
        pages++
        for (const { amount, owner } of page.accounts) addHolding(amounts, owner, amount)
        cursor = page.cursor
        if (cursor === undefined || page.accounts.length < PAGE_SIZE) return { amounts, isWhole: true, pages }
      }
      return { amounts, isWhole: false, pages }
    })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  #page(mint: string, cursor: string | undefined): Effect.Effect<DasPage, "unavailable"> {
    const params = { mint, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }
    const body = JSON.stringify({ jsonrpc: "2.0", id: "holders", method: METHOD, params })
    return Effect.tryPromise({
      try: async (signal) => {
        const { status, text } = await this.#connection.post(body, signal)
        if (status !== 200) throw new Error("refused")
        return pageOf(parseLossless(text))
      },
      catch: () => "unavailable" as const,
    }).pipe(Effect.timeoutOrElse({ duration: PAGE_DEADLINE_MILLIS, orElse: () => Effect.fail("unavailable" as const) }))
  }
}

/** The page in an answer. Throws when it is malformed. */
const pageOf = (answer: unknown): DasPage => {
  const result = isFields(answer) ? answer.result : undefined
  if (!isFields(result)) throw new Error("no result")
  const { cursor, token_accounts: accounts } = result
  if (!Array.isArray(accounts) || accounts.length > PAGE_SIZE) throw new Error("no page")
  if (cursor !== undefined && cursor !== null && (typeof cursor !== "string" || cursor.length > CURSOR_LENGTH_MAX))
    throw new Error("no cursor")
  return { cursor: cursor ?? undefined, accounts: accounts.map(holdingOf) }
}

const holdingOf = (account: unknown) => {
  const { amount, owner } = isFields(account) ? account : {}
  if (!isKey(owner) || !isU64(amount)) throw new Error("no token account")
  return { owner, amount: BigInt(amount) }
}
