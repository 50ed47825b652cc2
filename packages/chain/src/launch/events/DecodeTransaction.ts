import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountReader } from "../AccountReader.ts"
import { DBC_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../Programs.ts"
import type { DbcEvent, DbcFact } from "./DbcEvent.ts"
import { type EncodedEvent, encodedEvent, eventName } from "./EventLayouts.ts"
import { PLAIN_EVENTS } from "./PlainEvents.ts"
import type { RawInstruction, RawTransaction } from "./RawTransaction.ts"

/** Instructions by discriminator (DBC IDL 0.2.1). */
const CREATE_CONFIG = ["c9cff3724b6f2fbd", "d825013958e21929"]
const MIGRATE = ["9ca9e66735e45040", "1b013016b43f76d9"]
const INITIALIZE_POOL = ["8c55d7b06636684f", "a976334e916edc9b", "b60de9b12a918702"]

/** Instructions of the token programs, by first byte: `InitializeMint2` (decimals @1), `MintTo` (amount @1). */
const INITIALIZE_MINT = 20
const MINT_TO = 7
/** Longest base58 of what starts with these: tag, decimals, two authorities and their option. */
const MINT_CALL_LENGTH_MAX = 96
const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])

/** A call with the accounts it was given, and where it stands. */
interface Call {
  readonly instruction: number
  readonly innerInstruction: number
  readonly height: number
  /** Whether the height is what the node said. */
  readonly isPlaced: boolean
  readonly program: string
  readonly data: string
  readonly accounts: ReadonlyArray<string>
}

/**
 * Everything that the DBC program did in a transaction, in order. Pure and total: a failed transaction did nothing,
 * and bytes that are of no known layout yield nothing. Works below any other program: an event belongs to the call that
 * stands one level above it.
 */
export const decodeTransaction = (
  raw: RawTransaction,
  transactionIndex = raw.indexWithinBlock ?? 0,
): ReadonlyArray<DbcEvent> => {
  const [signature] = raw.transaction.signatures
  if (raw.meta.err !== null || signature === undefined) return []
  const events: Array<DbcEvent | undefined> = []
  const above: Array<Call | undefined> = []
  const at = (call: Call) => ({
    signature,
    slot: BigInt(raw.slot),
    transactionIndex,
    instruction: call.instruction,
    innerInstruction: call.innerInstruction,
    blockTimeSeconds: raw.blockTime ?? 0,
  })
  /** The older EvtSwap of a call: it is the same swap as the EvtSwap2 behind it, and read only where there is none. */
  const older = new Map<Call, { readonly index: number; readonly data: string }>()
  const calls = [...callsOf(raw)]
  /** The last call of the program that was no event: the one that an event without a height belongs to. */
  let caller: Call | undefined
  for (const call of calls) {
    if (caller?.instruction !== call.instruction) caller = undefined
    above[call.height] = call
    above.length = call.height + 1
    if (call.program !== DBC_PROGRAM) continue
    const parent = call.isPlaced ? above[call.height - 1] : caller
    const name = parent?.program === DBC_PROGRAM ? eventName(call.data) : undefined
    if (name === undefined) caller = call
    if (name === "EvtSwap") {
      older.set(parent!, { index: events.push(undefined) - 1, data: call.data })
      continue
    }
    const event = name === undefined ? undefined : encodedEvent(call.data)
    const fact = event === undefined ? factOfCall(call) : factOfEvent(event, parent!, calls)
    if (fact === undefined) continue
    const found = { ...fact, at: at(event === undefined ? call : parent!) }
    const same = fact.type === "Swapped" ? older.get(parent!) : undefined
    if (same === undefined) events.push(found)
    else {
      events[same.index] = found
      older.delete(parent!)
    }
  }
  for (const [parent, { data, index }] of older) {
    const event = encodedEvent(data)
    const fact = event && factOfEvent(event, parent, calls)
    if (fact !== undefined) events[index] = { ...fact, at: at(parent) }
  }
  return events.filter((event) => event !== undefined)
}

const callsOf = function* ({ meta, transaction }: RawTransaction): Generator<Call> {
  const { accountKeys, instructions } = transaction.message
  const keys = [...accountKeys, ...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])]
  const inner = new Map(meta.innerInstructions?.map(({ index, instructions }) => [index, instructions]))
  const call = (raw: RawInstruction, instruction: number, innerInstruction: number, height: number): Call => ({
    instruction,
    innerInstruction,
    height,
    isPlaced: innerInstruction < 0 || Number.isInteger(raw.stackHeight),
    program: keys[raw.programIdIndex] ?? "",
    data: raw.data,
    accounts: raw.accounts.map((index) => keys[index] ?? ""),
  })
  for (const [instruction, outer] of instructions.entries()) {
    yield call(outer, instruction, -1, 1)
    for (const [position, raw] of (inner.get(instruction) ?? []).entries()) {
      yield call(raw, instruction, position, heightOf(raw.stackHeight))
    }
  }
}

/** Programs call each other at most a few levels deep; whatever else stands there is no height. */
const HEIGHT_MAX = 64
const heightOf = (height: number | null | undefined): number =>
  Number.isInteger(height) ? Math.min(Math.max(height!, 1), HEIGHT_MAX) : 2

const factOfCall = ({ accounts, data }: Call): DbcFact | undefined => {
  const bytes = decodeBase58(data)
  if (bytes === undefined || bytes.length < 8) return undefined
  const discriminator = Buffer.from(bytes.subarray(0, 8)).toString("hex")
  if (CREATE_CONFIG.includes(discriminator) && accounts.length >= 4) {
    const [config, feeClaimer, leftoverReceiver, quoteMint] = accounts as [string, string, string, string]
    const tokenDecimal = tokenDecimalOf(bytes)
    return { type: "ConfigCreated", config, quoteMint, feeClaimer, leftoverReceiver, tokenDecimal }
  }
  if (MIGRATE.includes(discriminator) && accounts.length >= 5) {
    return { type: "PoolMigrated", pool: accounts[0]!, migratedPool: accounts[4]! }
  }
  return undefined
}

/**
 * `token_decimal` of `ConfigParameters` (DBC IDL 0.2.1): base fee of 27 bytes, the option of a dynamic fee of 32, then
 * four bytes before it.
 */
const tokenDecimalOf = (bytes: Uint8Array): number | undefined => bytes[bytes[35] === 1 ? 72 : 40]

const factOfEvent = ({ name, reader }: EncodedEvent, parent: Call, calls: ReadonlyArray<Call>): DbcFact | undefined => {
  const plain = PLAIN_EVENTS[name]
  if (plain !== undefined) return plain(reader)
  if (name === "EvtInitializePool") {
    const texts = poolTexts(parent.data)
    if (texts === undefined) return undefined
    const baseMint = reader.address(112)
    return {
      type: "PoolCreated",
      pool: reader.address(16),
      config: reader.address(48),
      creator: reader.address(80),
      baseMint,
      quoteMint: parent.accounts[4] ?? "",
      poolType: reader.u8(144),
      activationPoint: reader.u64(145),
      ...texts,
      ...mintOf(baseMint, parent.instruction, calls),
    }
  }
  return swapFact(name, reader, parent)
}

/** Decimals and supply of a mint, from what the token program was called with in the instruction that created it. */
const mintOf = (mint: string, instruction: number, calls: ReadonlyArray<Call>) => {
  let decimals: number | undefined
  let supply: bigint | undefined
  for (const call of calls) {
    if (call.instruction !== instruction || call.accounts[0] !== mint || !TOKEN_PROGRAMS.has(call.program)) continue
    if (call.data.length > MINT_CALL_LENGTH_MAX) continue
    const bytes = decodeBase58(call.data)
    if (bytes === undefined) continue
    if (bytes[0] === INITIALIZE_MINT && bytes.length >= 35) decimals ??= bytes[1]
    if (bytes[0] === MINT_TO && bytes.length === 9) supply ??= new AccountReader(bytes).u64(1)
  }
  return { decimals, supply }
}

/** Trader and mints stand in the accounts of the swap alone: 7 base mint, 8 quote mint, 9 payer. */
const swapFact = (name: EncodedEvent["name"], reader: AccountReader, { accounts }: Call): DbcFact => {
  const head = {
    type: "Swapped" as const,
    pool: reader.address(16),
    config: reader.address(48),
    baseMint: accounts[7] ?? "",
    quoteMint: accounts[8] ?? "",
    trader: accounts[9] ?? "",
    side: reader.u8(80) === 1 ? ("BUY" as const) : ("SELL" as const),
  }
  if (name === "EvtSwap2") {
    const fee = reader.u64(147) + reader.u64(155) + reader.u64(163)
    return {
      ...head,
      amountIn: reader.u64(99),
      amountOut: reader.u64(123),
      fee,
      nextSqrtPrice: reader.u128(131),
      quoteReserve: reader.u64(171),
    }
  }
  const fee = reader.u64(130) + reader.u64(138) + reader.u64(146)
  return {
    ...head,
    amountIn: reader.u64(154),
    amountOut: reader.u64(106),
    fee,
    nextSqrtPrice: reader.u128(114),
    quoteReserve: undefined,
  }
}

/** Name, symbol and uri: the three strings of the pool's initialisation. */
const poolTexts = (
  data: string,
): { readonly name: string; readonly symbol: string; readonly uri: string } | undefined => {
  const bytes = decodeBase58(data)
  if (bytes === undefined || !INITIALIZE_POOL.includes(Buffer.from(bytes.subarray(0, 8)).toString("hex")))
    return undefined
  const texts = new AccountReader(bytes).texts(8, 3)
  // PostgreSQL takes every character but NUL.
  const [name = "", symbol = "", uri = ""] = (texts ?? []).map((text) => text.replaceAll("\0", ""))
  return texts && { name, symbol, uri }
}
