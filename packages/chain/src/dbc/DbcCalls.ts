import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountReader } from "../accounts/AccountReader.ts"
import { DAMM_V2_PROGRAM, DBC_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import type { AccountTable } from "../transactions/AccountTable.ts"
import { startsLike } from "../transactions/Base58Prefix.ts"
import type { DbcFact } from "../transactions/DbcEvent.ts"
import { isEvent } from "../transactions/EncodedEvents.ts"
import { encodedEvent, type EventName, eventName } from "./EventLayouts.ts"
import { PLAIN_EVENTS } from "./PlainEvents.ts"
import { accountOf, type ProgramCall } from "../transactions/ProgramCall.ts"
import {
  bytesOfCall,
  type CallContext,
  type Emitted,
  headOf,
  NO_BALANCES,
  type ProgramDecoder,
  whole,
} from "../transactions/ProgramDecoder.ts"
import type { RawInstruction } from "../transactions/RawTransaction.ts"
import { tokenCalls } from "../transactions/TokenBatch.ts"

/** Instructions by discriminator (DBC IDL 0.2.1). */
const SWAP = "f8c69e91e17587c8"
const SWAPS = [SWAP, "414b3f4ceb5b5b88", "b75d992818e6c297"]
const CREATE_CONFIG = ["c9cff3724b6f2fbd", "d825013958e21929"]
const [MIGRATE_V1, MIGRATE_V2] = ["1b013016b43f76d9", "9ca9e66735e45040"]
const MIGRATE = [MIGRATE_V1, MIGRATE_V2]
const INITIALIZE_POOL = ["8c55d7b06636684f", "a976334e916edc9b", "b60de9b12a918702"]
/** The only calls that say something themselves; of all others, the events do. */
const mayBeFact = startsLike([...CREATE_CONFIG, ...MIGRATE])
/** Every other instruction of DBC that emits an event (IDL 0.2.1): configurations, metadata, claims and withdrawals, a pool's creator. */
const EMITTING = [
  ...[...CREATE_CONFIG, "c0a8eabfbce2e3ff", "2d61bb67fe6d7c86", "1407a9213a93a621"],
  ...["08ec5931987db151", "52dcfabd03556b2d", "a8ad4864c962265c", "a50389071c864c50", "14c6caedebf3b742"],
  ...["ed8e2d178106dea2", "faee1a048b0a65f8", "72cd53bcf0991936", "54bf473209a237c1", "eef7d55e6e91588e"],
]
/** `claim_protocol_fee2`: its accounts do not name who signs events. */
const MAY_EMIT = "ebc23645410aec70"
const mayEmit = startsLike([...SWAPS, ...INITIALIZE_POOL, ...MIGRATE, ...EMITTING, MAY_EMIT])

/** Instructions of the token programs, by first byte: `InitializeMint2` (decimals @1), `MintTo` (amount @1). */
const INITIALIZE_MINT = 20
const MINT_TO = 7
/** Longest base58 of what starts with these: tag, decimals, two authorities and their option. */
const MINT_CALL_LENGTH_MAX = 96
const TOKEN_PROGRAMS: ReadonlySet<string | undefined> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])

const factOfCall = (call: ProgramCall, { keys }: CallContext): DbcFact | undefined => {
  const { accounts, data } = call.raw
  const bytes = mayBeFact(data) ? bytesOfCall(data) : undefined
  if (bytes === undefined || bytes.length < 8) return undefined
  const account = (position: number) => accountOf(call, position, keys)
  const discriminator = headOf(bytes)
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

const factOfEvent = (_: string, data: string, parent: ProgramCall, { calls, keys }: CallContext) => {
  const event = encodedEvent(data)
  if (event === undefined) return undefined
  const { name, reader } = event
  const plain = PLAIN_EVENTS[name]
  if (plain !== undefined) return plain(reader, (position) => accountOf(parent, position, keys))
  if (name !== "EvtInitializePool") return swapFact(name, reader, parent, keys)
  const texts = poolTexts(parent.raw.data)
  if (texts === undefined) return undefined
  const baseMint = reader.address(112)
  return {
    type: "PoolCreated" as const,
    pool: reader.address(16),
    config: reader.address(48),
    creator: reader.address(80),
    baseMint,
    quoteMint: accountOf(parent, 4, keys),
    poolType: reader.u8(144),
    activationPoint: reader.u64(145),
    ...texts,
    ...mintOf(baseMint, calls, keys),
  }
}

/** Calls of the token programs that may create a mint or mint. */
const mintCalls = (calls: ReadonlyArray<RawInstruction>, keys: AccountTable) =>
  calls
    .filter(({ programIdIndex }) => TOKEN_PROGRAMS.has(keys.at(programIdIndex)))
    .flatMap(tokenCalls)
    .flatMap(({ accounts, data }) => {
      const bytes = data.length > MINT_CALL_LENGTH_MAX ? undefined : decodeBase58(data)
      return bytes === undefined ? [] : [{ accounts, bytes }]
    })

/** Decimals and supply of a mint, from what the token program was called with in the instruction that created it. */
const mintOf = (mint: string, calls: ReadonlyArray<RawInstruction>, keys: AccountTable) => {
  let decimals: number | undefined
  let supply: bigint | undefined
  for (const { accounts, bytes } of mintCalls(calls, keys)) {
    if (keys.at(accounts[0] ?? -1) !== mint) continue
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
  if (bytes === undefined || !INITIALIZE_POOL.includes(headOf(bytes))) return undefined
  const texts = new AccountReader(bytes).texts(8, 3)
  // PostgreSQL takes every character but NUL.
  const [name = "", symbol = "", uri = ""] = (texts ?? []).map((text) => text.replaceAll("\0", ""))
  return texts && { name, symbol, uri }
}

/** Each call that succeeds calls itself to emit an event. */
const emitted: ProgramDecoder["emitted"] = (call, calledBelow, keys) => {
  if (!mayEmit(call.data)) return "all"
  const head = headOf(bytesOfCall(call.data))
  const below = calledBelow()
  const events = below.filter((one) => one.programIdIndex === call.programIdIndex && isEvent(one.data))
  if (SWAPS.includes(head)) return swapEvents(head, events)
  if (INITIALIZE_POOL.includes(head)) {
    const kinds = mintCalls(below, keys).map(({ bytes }) => bytes[0])
    const hasMinted = kinds.includes(INITIALIZE_MINT) && kinds.includes(MINT_TO)
    return whole(hasMinted && events.some(({ data }) => eventName(data) === "EvtInitializePool"))
  }
  if (head === MIGRATE_V2)
    return whole(below.some((one) => keys.at(one.programIdIndex) === DAMM_V2_PROGRAM && isEvent(one.data)))
  if (head === MIGRATE_V1) return whole(below.some((one) => one.programIdIndex !== call.programIdIndex))
  if (head === MAY_EMIT && events.length === 0) return "doubtful"
  return whole(!EMITTING.includes(head) || events.length > 0)
}

/** One that reaches the threshold completes the curve, which is an event of its own. */
const swapEvents = (head: string, events: ReadonlyArray<RawInstruction>): Emitted => {
  const named = events.map(({ data }) => ({ name: eventName(data), data }))
  const newer = named.find(({ name }) => name === "EvtSwap2")
  if (newer === undefined) return head === SWAP && named.some(({ name }) => name === "EvtSwap") ? "doubtful" : "cut"
  const reader = encodedEvent(newer.data)?.reader
  const isComplete = reader !== undefined && reader.u64(171) >= reader.u64(179)
  return !isComplete || named.some(({ name }) => name === "EvtCurveComplete") ? "all" : "doubtful"
}

export const dbcDecoder: ProgramDecoder = {
  ...{ program: DBC_PROGRAM, eventName, factOfEvent, factOfCall, emitted, balances: NO_BALANCES },
}
