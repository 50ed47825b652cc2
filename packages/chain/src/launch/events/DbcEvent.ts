/** Where in the chain something happened: total order is slot, transaction, instruction, inner instruction. */
export interface EventPosition {
  readonly signature: string
  readonly slot: bigint
  readonly transactionIndex: number
  readonly instruction: number
  /** Position among the calls below the instruction; -1 for the instruction itself. */
  readonly innerInstruction: number
  readonly blockTimeSeconds: number
}

/** A configuration was created (`create_config`). */
export interface ConfigCreated {
  readonly type: "ConfigCreated"
  readonly config: string
  readonly quoteMint: string
  readonly feeClaimer: string
  readonly leftoverReceiver: string
}

/** A token and its pool were created (`EvtInitializePool`; label and mints from the instruction). */
export interface PoolCreated {
  readonly type: "PoolCreated"
  readonly pool: string
  readonly config: string
  readonly creator: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly poolType: number
  readonly activationPoint: bigint
  readonly name: string
  readonly symbol: string
  readonly uri: string
}

/** Tokens were swapped on a curve (`EvtSwap2`, or `EvtSwap` of old programs). Amounts in smallest units. */
export interface Swapped {
  readonly type: "Swapped"
  readonly pool: string
  readonly config: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly trader: string
  readonly side: "BUY" | "SELL"
  /** What the trader paid, fee included. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly fee: bigint
  readonly nextSqrtPrice: bigint
}

/** A curve raised all it had to (`EvtCurveComplete`). */
export interface CurveComplete {
  readonly type: "CurveComplete"
  readonly pool: string
  readonly config: string
  readonly baseReserve: bigint
  readonly quoteReserve: bigint
}

/** A curve went on as an AMM pool: the program has no event for it, so it is read from the instruction. */
export interface PoolMigrated {
  readonly type: "PoolMigrated"
  readonly pool: string
  readonly migratedPool: string
}

export type DbcFact = ConfigCreated | PoolCreated | Swapped | CurveComplete | PoolMigrated
export type DbcEvent = DbcFact & { readonly at: EventPosition }
