import { decodeBase58 } from "@launch-registry/solana/Base58"
import { AccountReader } from "../AccountReader.ts"
import { DAMM_V1_PROGRAM, DAMM_V2_PROGRAM, DBC_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../Programs.ts"
import { AccountTable } from "./AccountTable.ts"
import { startsLike } from "./Base58Prefix.ts"
import { dammV1Swap } from "./DammV1Swaps.ts"
import { type DammV2Event, dammV2EventName, dammV2Fact } from "./DammV2Events.ts"
import type { DbcEvent, DbcFact, EventPosition } from "./DbcEvent.ts"
import type { EncodedEvent } from "./EncodedEvents.ts"
import { encodedEvent, type EventName, eventName } from "./EventLayouts.ts"
import { PLAIN_EVENTS } from "./PlainEvents.ts"
import { accountOf, type ProgramCall } from "./ProgramCall.ts"
import type { DecodableTransaction, RawInstruction } from "./RawTransaction.ts"
import { tokenCalls } from "./TokenBatch.ts"

/** Instructions by discriminator (DBC IDL 0.2.1). */
const CREATE_CONFIG = ["c9cff3724b6f2fbd", "d825013958e21929"]
const MIGRATE_V2 = "9ca9e66735e45040"
const MIGRATE = [MIGRATE_V2, "1b013016b43f76d9"]
/** The only calls that say something themselves; of all others, the events do. */
const mayBeFact = startsLike([...CREATE_CONFIG, ...MIGRATE])
const INITIALIZE_POOL = ["8c55d7b06636684f", "a976334e916edc9b", "b60de9b12a918702"]

/** Instructions of the token programs, by first byte: `InitializeMint2` (decimals @1), `MintTo` (amount @1). */
const INITIALIZE_MINT = 20
const MINT_TO = 7
/** Longest base58 of a call: programs pass each other 10 KiB at most, and a transaction has less. */
const CALL_LENGTH_MAX = Math.ceil((10_240 * 8) / Math.log2(58))
/** Longest base58 of what starts with these: tag, decimals, two authorities and their option. */
const MINT_CALL_LENGTH_MAX = 96
const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])

/** An event of the program that repeats one behind it. */
interface Repeated {
  readonly index: number
  readonly data: string
  readonly isDamm: boolean
}

/**
 * Everything that the DBC program did in a transaction, and swaps on the DAMM v2 and v1 pools that it migrated curves to and claims on those of v2, in order. Pure and
 * total: a failed transaction did nothing, and bytes that are of no known layout yield nothing. Works below any other program: an event
 * belongs to the call of its program that stands one level above it.
 */
export const decodeTransaction = (
  raw: DecodableTransaction,
  transactionIndex = raw.indexWithinBlock ?? 0,
): ReadonlyArray<DbcEvent> => {
  const [signature] = raw.transaction.signatures
  if (raw.meta.err !== null || signature === undefined) return []
  const keys = new AccountTable(raw)
  const program = keys.indexOf(DBC_PROGRAM)
  const damm = keys.indexOf(DAMM_V2_PROGRAM)
  const dammV1 = keys.indexOf(DAMM_V1_PROGRAM)
  if (program < 0 && damm < 0 && dammV1 < 0) return []
  const slot = BigInt(raw.slot)
  const events: Array<DbcEvent | undefined> = []
  const at = ({ innerInstruction, instruction }: ProgramCall) => ({
    signature,
    slot,
    transactionIndex,
    instruction,
    innerInstruction,
    blockTimeSeconds: raw.blockTime ?? 0,
  })
  /** The older EvtSwap of a call: it is the same swap as the EvtSwap2 behind it, and read only where there is none. */
  let older: Map<ProgramCall, Repeated> | undefined
  /** Calls of the two programs by their height; nothing where another program stands. */
  const above: Array<ProgramCall | undefined> = []
  /** The last call of each program that was no event: the one that an event without a height belongs to. */
  let caller: ProgramCall | undefined
  let dammCaller: ProgramCall | undefined

  const factOf = (data: string, parent: ProgramCall, damm: DammV2Event | undefined): DbcFact | undefined => {
    if (damm !== undefined) return dammV2Fact(damm, data, parent, keys)
    const event = encodedEvent(data)
    return event && factOfEvent(event, parent, raw, keys)
  }

  const visit = (called: RawInstruction, instruction: number, innerInstruction: number): void => {
    const height = innerInstruction < 0 ? 1 : heightOf(called.stackHeight)
    above.length = height
    above[height] = undefined
    const index = called.programIdIndex
    if (index < 0) return
    if (index === dammV1) {
      const call = { instruction, innerInstruction, raw: called }
      const swap = dammV1Swap(call, innerCalls(raw, instruction), raw, keys)
      if (swap !== undefined) events.push(placed(swap, at(call)))
    }
    if (index !== program && index !== damm) return
    const isDamm = index === damm
    const call: ProgramCall = { instruction, innerInstruction, raw: called }
    above[height] = call
    const isPlaced = innerInstruction < 0 || Number.isInteger(called.stackHeight)
    const over = isPlaced ? above[height - 1] : isDamm ? dammCaller : caller
    const parent = over?.raw.programIdIndex === index ? over : undefined
    const ofDamm = parent === undefined || !isDamm ? undefined : dammV2EventName(called.data)
    const name = parent === undefined || isDamm ? ofDamm : eventName(called.data)
    if (name === "EvtSwap") {
      older ??= new Map()
      older.set(parent!, { index: events.push(undefined) - 1, data: called.data, isDamm })
      return
    }
    if (name === undefined) {
      if (isDamm) dammCaller = call
      else caller = call
    }
    const emitted = name === undefined ? undefined : factOf(called.data, parent!, ofDamm)
    const fact = emitted ?? (isDamm ? undefined : factOfCall(call, keys))
    if (fact === undefined) return
    const found = placed(fact, at(emitted === undefined ? call : parent!))
    const same = fact.type === "Swapped" ? older?.get(parent!) : undefined
    if (same === undefined) events.push(found)
    else {
      events[same.index] = found
      older!.delete(parent!)
    }
  }

  for (const [instruction, outer] of raw.transaction.message.instructions.entries()) {
    caller = undefined
    dammCaller = undefined
    visit(outer, instruction, -1)
    const calls = innerCalls(raw, instruction)
    for (let position = 0; position < calls.length; position++) visit(calls[position]!, instruction, position)
  }
  for (const [parent, { data, index, isDamm }] of older ?? []) {
    const fact = factOf(data, parent, isDamm ? "EvtSwap" : undefined)
    if (fact !== undefined) events[index] = placed(fact, at(parent))
  }
  return events.filter((event) => event !== undefined)
}

/** The fact with its position, in place: a copy would cost as much as decoding it. */
const placed = (fact: DbcFact, at: EventPosition): DbcEvent => Object.assign(fact, { at })

/** The inner instructions of an instruction of the transaction. */
const innerCalls = ({ meta }: DecodableTransaction, instruction: number): ReadonlyArray<RawInstruction> =>
  meta.innerInstructions?.find(({ index }) => index === instruction)?.instructions ?? []

/** Programs call each other at most a few levels deep; whatever else stands there is no height. */
const HEIGHT_MAX = 64
const heightOf = (height: number | null | undefined): number =>
  Number.isInteger(height) ? Math.min(Math.max(height!, 1), HEIGHT_MAX) : 2

/** Decoding takes time by the square of the length: what was forged must not hold up everything behind it. */
const bytesOfCall = (data: string): Uint8Array | undefined =>
  data.length > CALL_LENGTH_MAX ? undefined : decodeBase58(data)

const factOfCall = (call: ProgramCall, keys: AccountTable): DbcFact | undefined => {
  const { accounts, data } = call.raw
  const bytes = mayBeFact(data) ? bytesOfCall(data) : undefined
  if (bytes === undefined || bytes.length < 8) return undefined
  const account = (position: number) => accountOf(call, position, keys)
  const discriminator = Buffer.from(bytes.subarray(0, 8)).toString("hex")
  if (CREATE_CONFIG.includes(discriminator) && accounts.length >= 4) {
    return {
      type: "ConfigCreated",
      config: account(0),
      quoteMint: account(3),
      feeClaimer: account(1),
      leftoverReceiver: account(2),
      tokenDecimal: tokenDecimalOf(bytes),
    }
  }
  if (MIGRATE.includes(discriminator) && accounts.length >= 5) {
    // 5 and 8 of a migration to DAMM v2: NFT mints of the positions; the program itself stands for one that is left out.
    const positionMint = (position: number) => {
      const mint = discriminator === MIGRATE_V2 ? account(position) : ""
      return mint === "" || mint === DBC_PROGRAM ? null : mint
    }
    return {
      ...{ type: "PoolMigrated", pool: account(0), migratedPool: account(4) },
      ...{ firstPositionMint: positionMint(5), secondPositionMint: positionMint(8) },
    }
  }
  return undefined
}

/**
 * `token_decimal` of `ConfigParameters` (DBC IDL 0.2.1): base fee of 27 bytes, the option of a dynamic fee of 32, then
 * four bytes before it.
 */
const tokenDecimalOf = (bytes: Uint8Array): number | undefined => bytes[bytes[35] === 1 ? 72 : 40]

const factOfEvent = (
  { name, reader }: EncodedEvent<EventName>,
  parent: ProgramCall,
  transaction: DecodableTransaction,
  keys: AccountTable,
): DbcFact | undefined => {
  const plain = PLAIN_EVENTS[name]
  if (plain !== undefined) return plain(reader, (position) => accountOf(parent, position, keys))
  if (name === "EvtInitializePool") {
    const texts = poolTexts(parent.raw.data)
    if (texts === undefined) return undefined
    const baseMint = reader.address(112)
    return {
      type: "PoolCreated",
      pool: reader.address(16),
      config: reader.address(48),
      creator: reader.address(80),
      baseMint,
      quoteMint: accountOf(parent, 4, keys),
      poolType: reader.u8(144),
      activationPoint: reader.u64(145),
      ...texts,
      ...mintOf(baseMint, innerCalls(transaction, parent.instruction), keys),
    }
  }
  return swapFact(name, reader, parent, keys)
}

/** Decimals and supply of a mint, from what the token program was called with in the instruction that created it. */
const mintOf = (mint: string, calls: ReadonlyArray<RawInstruction>, keys: AccountTable) => {
  let decimals: number | undefined
  let supply: bigint | undefined
  const ofTokens = calls.filter(({ programIdIndex }) => TOKEN_PROGRAMS.has(keys.at(programIdIndex) ?? ""))
  for (const { accounts, data } of ofTokens.flatMap(tokenCalls)) {
    if (keys.at(accounts[0] ?? -1) !== mint) continue
    const bytes = data.length > MINT_CALL_LENGTH_MAX ? undefined : decodeBase58(data)
    if (bytes === undefined) continue
    if (bytes[0] === INITIALIZE_MINT && bytes.length >= 35) decimals ??= bytes[1]
    if (bytes[0] === MINT_TO && bytes.length === 9) supply ??= new AccountReader(bytes).u64(1)
  }
  return { decimals, supply }
}

/**
 * Trader and mints stand in the accounts of the swap alone: 7 base mint, 8 quote mint, 9 payer. Configuration and pool, its
 * first ones, are those of the event; as texts they cost nothing there.
 */
const swapFact = (name: EventName, reader: AccountReader, call: ProgramCall, keys: AccountTable): DbcFact => {
  const head = {
    type: "Swapped" as const,
    venue: "dbc" as const,
    pool: accountOf(call, 2, keys),
    config: accountOf(call, 1, keys),
    baseMint: accountOf(call, 7, keys),
    quoteMint: accountOf(call, 8, keys),
    trader: accountOf(call, 9, keys),
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
  const bytes = bytesOfCall(data)
  if (bytes === undefined || !INITIALIZE_POOL.includes(Buffer.from(bytes.subarray(0, 8)).toString("hex")))
    return undefined
  const texts = new AccountReader(bytes).texts(8, 3)
  // PostgreSQL takes every character but NUL.
  const [name = "", symbol = "", uri = ""] = (texts ?? []).map((text) => text.replaceAll("\0", ""))
  return texts && { name, symbol, uri }
}
