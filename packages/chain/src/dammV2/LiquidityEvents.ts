import type { AccountReader } from "../accounts/AccountReader.ts"
import { DBC_POOL_AUTHORITY } from "../accounts/Programs.ts"
import type { AccountTable } from "../transactions/AccountTable.ts"
import type { LiquidityChanged } from "../transactions/DbcEvent.ts"
import type { EventLayout } from "../transactions/EncodedEvents.ts"
import { migrationConfigOf } from "../transactions/MigratedPools.ts"
import { accountOf, type ProgramCall } from "../transactions/ProgramCall.ts"
import { bytesOfCall, headOf } from "../transactions/ProgramDecoder.ts"

/**
 * What happens to the liquidity of a pool (cp-amm IDL 0.2.5, `event.rs`): EvtLiquidityChange since program 0.1.5, EvtAddLiquidity and
 * EvtRemoveLiquidity until then; EvtSplitPosition in 0.1.3, EvtSplitPosition2 since, and EvtSplitPosition3 behind it.
 */
const LAYOUTS = [
  { name: "EvtLiquidityChange", discriminator: "c5ab4e7fe0d3570d", bytes: 193 },
  { name: "EvtAddLiquidity", discriminator: "aff2089d1ef7b9a9", bytes: 176 },
  { name: "EvtRemoveLiquidity", discriminator: "572e5862af60225b", bytes: 160 },
  { name: "EvtLockPosition", discriminator: "a83f6c53db5202c8", bytes: 194 },
  { name: "EvtPermanentLockPosition", discriminator: "918fa2dada50430b", bytes: 112 },
  { name: "EvtSplitPosition", discriminator: "b68a2afe1b5e52dd", bytes: 374 },
  { name: "EvtSplitPosition2", discriminator: "a520cbae4864e967", bytes: 376 },
  { name: "EvtSplitPosition3", discriminator: "e875beda55a2cf4e", bytes: 460 },
] as const

export type LiquidityEvent = (typeof LAYOUTS)[number]["name"]
export const LIQUIDITY_EVENTS: ReadonlyArray<EventLayout<LiquidityEvent>> = LAYOUTS

const NAMES: ReadonlySet<string> = new Set(LAYOUTS.map(({ name }) => name))
export const isLiquidityEvent = (name: string): name is LiquidityEvent => NAMES.has(name)

const [ADD_LIQUIDITY, LOCK_POSITION] = ["b59d59438fb63448", "e33e02fcf70aabb9"]
/** With `remove_liquidity`, `remove_all_liquidity`, `lock_inner_position`, `permanent_lock_position`, `split_position`, `split_position2`. */
export const LIQUIDITY_CALLS = [
  ...[ADD_LIQUIDITY, "5055d14818ceb16c", "0a333d2370691855", LOCK_POSITION, "481331cc127a175a", "a5b07d06e7abbad5"],
  ...["acf1dd8aa11dfd2a", "dd93e4cf8cd41177"],
]

/** Accounts of a call, the same in every version: the pool, mints of tokens A and B, and who signs. */
const ADD_ACCOUNTS = { pool: 0, mintA: 6, mintB: 7, wallet: 9 }
const WITHDRAWAL_ACCOUNTS = { pool: 1, mintA: 7, mintB: 8, wallet: 10 }
/** Who signs `lock_position`, and the other locks. */
const [LOCK_SIGNER, OTHER_LOCK_SIGNER] = [4, 3]

type Change = Omit<LiquidityChanged, "type" | "pool" | "baseMint" | "quoteMint">

const NOTHING_MOVED = { baseAmount: null, quoteAmount: null }
const NO_LOCK = { lockedUntil: null }
const NO_SPLIT = { toPosition: null, toOwner: null }

/** What an event says; `undefined` for what the migration did, and for what was added to or withdrawn from a pool that is not DBC's. */
export const liquidityChanged = (
  name: LiquidityEvent,
  event: AccountReader,
  call: ProgramCall,
  keys: AccountTable,
): LiquidityChanged | undefined => {
  switch (name) {
    case "EvtLiquidityChange":
    case "EvtAddLiquidity":
    case "EvtRemoveLiquidity":
      return amountsMoved(name, event, call, keys)
    case "EvtLockPosition": {
      const isOuter = headOf(bytesOfCall(call.raw.data)) === LOCK_POSITION
      const periods = BigInt(event.u16(192))
      return ofAnyPool(event, {
        ...{ ...NOTHING_MOVED, ...NO_SPLIT, change: "locked", position: event.address(48) },
        owner: accountOf(call, isOuter ? LOCK_SIGNER : OTHER_LOCK_SIGNER, keys),
        liquidity: event.u128(160) + event.u128(176) * periods,
        lockedUntil: event.u64(144) + event.u64(152) * periods,
      })
    }
    case "EvtPermanentLockPosition":
      return ofAnyPool(event, {
        ...{ ...NOTHING_MOVED, ...NO_SPLIT, ...NO_LOCK, change: "locked_permanently", position: event.address(48) },
        owner: accountOf(call, OTHER_LOCK_SIGNER, keys),
        liquidity: event.u128(80),
      })
    default: {
      const vested = name === "EvtSplitPosition3" ? event.u128(224) : 0n
      return ofAnyPool(event, {
        ...{ ...NOTHING_MOVED, ...NO_LOCK, change: "split", owner: event.address(48), position: event.address(112) },
        liquidity: event.u128(192) + event.u128(208) + vested,
        ...{ toPosition: event.address(144), toOwner: event.address(80) },
      })
    }
  }
}

const ofAnyPool = (event: AccountReader, change: Change): LiquidityChanged | undefined =>
  change.owner === DBC_POOL_AUTHORITY
    ? undefined
    : { type: "LiquidityChanged", pool: event.address(16), baseMint: null, quoteMint: null, ...change }

const amountsMoved = (
  name: "EvtLiquidityChange" | "EvtAddLiquidity" | "EvtRemoveLiquidity",
  event: AccountReader,
  call: ProgramCall,
  keys: AccountTable,
): LiquidityChanged | undefined => {
  const isAddition = headOf(bytesOfCall(call.raw.data)) === ADD_LIQUIDITY
  const accounts = isAddition ? ADD_ACCOUNTS : WITHDRAWAL_ACCOUNTS
  const [pool, owner] = [accountOf(call, accounts.pool, keys), accountOf(call, accounts.wallet, keys)]
  const [baseMint, quoteMint] = [accountOf(call, accounts.mintA, keys), accountOf(call, accounts.mintB, keys)]
  if (owner === DBC_POOL_AUTHORITY || migrationConfigOf(pool, baseMint, quoteMint) === undefined) return undefined
  const [amounts, liquidity] = name === "EvtLiquidityChange" ? [112, 160] : [144, 112]
  return {
    ...{ type: "LiquidityChanged", pool, owner, baseMint, quoteMint, position: event.address(48) },
    change: isAddition ? "added" : "withdrawn",
    ...{ baseAmount: event.u64(amounts), quoteAmount: event.u64(amounts + 8), liquidity: event.u128(liquidity) },
    ...{ ...NO_LOCK, ...NO_SPLIT },
  }
}
