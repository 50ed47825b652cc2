import type { ChainUnavailable } from "@launch-registry/domain/launch/LaunchErrors"
import type { Address, Base58EncodedBytes } from "@solana/kit"
import { Effect, Redacted } from "effect"
import { answerBytesMax } from "../rpc/AnswerBytes.ts"
import { HttpConnection } from "../rpc/HttpConnection.ts"
import { parseLossless } from "../rpc/LosslessJson.ts"
import type { Rpc } from "../rpc/Rpc.ts"
import { isFields, isKey, isU64 } from "../rpc/results/Scalars.ts"
import { AccountReader } from "./AccountReader.ts"
import { chainUnavailable } from "./AccountReads.ts"
import { TOKEN_PROGRAM } from "./Programs.ts"
import { ACCOUNT_TYPE_OFFSET, TOKEN_ACCOUNT_BYTES } from "./TokenLayouts.ts"

/** Offset of `owner` in a token account; the amount follows: 32 bytes and 8. */
const OWNER_OFFSET = 32
const OWNER_AND_AMOUNT_BYTES = 40

/** Account type 2 of Token-2022, a token account, in base58. */
const TOKEN_ACCOUNT_TYPE = "3"

/** What one token account holds. */
export interface TokenHolding {
  readonly owner: string
  readonly amount: bigint
}

/** The token accounts of a mint. */
export interface TokenHoldings {
  readonly found: ReadonlyArray<TokenHolding>
  /** Whether these are all of them. */
  readonly isWhole: boolean
}

/** Every token account of a mint, by a scan over the accounts of its token program. */
export const scanHoldings = (
  rpc: Rpc["Service"],
  mint: string,
  program: string,
): Effect.Effect<TokenHoldings, ChainUnavailable> => {
  const matching = (offset: bigint, bytes: string) => ({
    memcmp: { offset, bytes: bytes as Base58EncodedBytes, encoding: "base58" as const },
  })
  // What nodes have an index for: accounts of one size, or those that say that they are token accounts.
  const kind =
    program === TOKEN_PROGRAM
      ? { dataSize: BigInt(TOKEN_ACCOUNT_BYTES) }
      : matching(BigInt(ACCOUNT_TYPE_OFFSET), TOKEN_ACCOUNT_TYPE)
  const filters = [kind, matching(0n, mint)]
  const dataSlice = { offset: OWNER_OFFSET, length: OWNER_AND_AMOUNT_BYTES }
  return rpc
    .call((kit) =>
      kit.getProgramAccounts(program as Address, {
        encoding: "base64",
        filters,
        dataSlice,
        commitment: "confirmed",
      }),
    )
    .pipe(
      Effect.catch(chainUnavailable),
      Effect.map((accounts) => ({
        found: accounts.map(({ account }) => {
          const reader = new AccountReader(Uint8Array.from(Buffer.from(account.data[0], "base64")))
          return { owner: reader.address(0), amount: reader.u64(32) }
        }),
        isWhole: true,
      })),
    )
}

const PAGE_SIZE = 1_000
/** A hundred thousand accounts at most. */
const PAGES_MAX = 100
const PAGE_DEADLINE_MILLIS = 5_000

/** Addresses, ids and page numbers have been cursors so far. */
const CURSOR_LENGTH_MAX = 500
const METHOD = "getTokenAccounts"

interface DasPage {
  readonly cursor: string | undefined
  readonly holdings: ReadonlyArray<TokenHolding>
}

/** An index of digital assets (DAS) that knows the token accounts of a mint, such as that of Helius. */
export class DasIndex {
  readonly #connection: HttpConnection

  constructor(url: Redacted.Redacted) {
    this.#connection = new HttpConnection(url, answerBytesMax(METHOD))
  }

  /** The token accounts of a mint, page by page: all of them, or as many as {@link PAGES_MAX} have. Errors do not contain the address, which holds a key. */
  holdings(mint: string): Effect.Effect<TokenHoldings, "unavailable"> {
    return Effect.gen({ self: this }, function* () {
      const all: Array<TokenHolding> = []
      let cursor: string | undefined
      for (let page = 0; page < PAGES_MAX; page++) {
        const found: DasPage = yield* this.#page(mint, cursor)
        all.push(...found.holdings)
        cursor = found.cursor
        if (cursor === undefined || found.holdings.length < PAGE_SIZE) return { found: all, isWhole: true }
      }
      return { found: all, isWhole: false }
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
  return { cursor: cursor ?? undefined, holdings: accounts.map(holdingOf) }
}

const holdingOf = (account: unknown): TokenHolding => {
  const { amount, owner } = isFields(account) ? account : {}
  if (!isKey(owner) || !isU64(amount)) throw new Error("no token account")
  return { owner, amount: BigInt(amount) }
}
