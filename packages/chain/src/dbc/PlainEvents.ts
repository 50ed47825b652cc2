import type { AccountReader } from "../accounts/AccountReader.ts"
import type { DbcFact } from "../transactions/DbcEvent.ts"
import type { EventName } from "./EventLayouts.ts"

/** An account of the instruction that an event is of, by its position. */
export type AccountAt = (position: number) => string

/**
 * Events decoded from their own fields, and for claims from who signed and the mints, which are accounts of the instruction alone; fields
 * start @16, addresses take 32 bytes and amounts 8 (DBC IDL 0.2.1).
 */
export const PLAIN_EVENTS: Readonly<Partial<Record<EventName, (event: AccountReader, account: AccountAt) => DbcFact>>> =
  {
    EvtCurveComplete: (event) => ({
      type: "CurveComplete",
      pool: event.address(16),
      config: event.address(48),
      baseReserve: event.u64(80),
      quoteReserve: event.u64(88),
    }),
    EvtUpdatePoolCreator: (event) => ({
      type: "PoolCreatorChanged",
      pool: event.address(16),
      creator: event.address(48),
      newCreator: event.address(80),
    }),
    EvtVirtualPoolMetadata: (event) => ({
      type: "PoolMetadataCreated",
      metadata: event.address(16),
      pool: event.address(48),
    }),
    EvtPartnerMetadata: (event) => ({
      type: "PartnerMetadataCreated",
      metadata: event.address(16),
      feeClaimer: event.address(48),
    }),
    // `claim_trading_fee`: 7 base mint, 8 quote mint, 9 fee claimer.
    EvtClaimTradingFee: (event, account) => ({ ...claim(event, account, 7), type: "TradingFeeClaimed", by: "partner" }),
    // `claim_creator_trading_fee` is not given the configuration: one position less.
    EvtClaimCreatorTradingFee: (event, account) => ({
      ...{ ...claim(event, account, 6), type: "TradingFeeClaimed", by: "creator" },
    }),
    EvtPartnerWithdrawSurplus: (event, account) => ({
      ...surplus(event, account),
      type: "SurplusWithdrawn",
      by: "partner",
    }),
    EvtCreatorWithdrawSurplus: (event, account) => ({
      ...surplus(event, account),
      type: "SurplusWithdrawn",
      by: "creator",
    }),
    EvtWithdrawLeftover: (event) => ({
      type: "LeftoverWithdrawn",
      pool: event.address(16),
      receiver: event.address(48),
      amount: event.u64(80),
    }),
    EvtWithdrawMigrationFee: (event, account) => ({
      ...surplus(event, account),
      type: "MigrationFeeWithdrawn",
      flag: event.u8(56),
    }),
    EvtClaimPoolCreationFee: (event) => ({
      type: "PoolCreationFeeClaimed",
      by: "protocol",
      partner: null,
      pool: event.address(16),
      receiver: event.address(48),
      amount: event.u64(80),
    }),
    EvtPartnerClaimPoolCreationFee: (event) => ({
      type: "PoolCreationFeeClaimed",
      by: "partner",
      pool: event.address(16),
      partner: event.address(48),
      amount: event.u64(80),
      receiver: event.address(88),
    }),
    EvtClaimProtocolFee2: (event) => ({
      type: "ProtocolFeeClaimed",
      pool: event.address(16),
      receiver: event.address(48),
      mint: event.address(80),
      amount: event.u64(112),
    }),
  }

const claim = (event: AccountReader, account: AccountAt, mints: number) => ({
  pool: event.address(16),
  claimer: account(mints + 2),
  baseMint: account(mints),
  quoteMint: account(mints + 1),
  baseAmount: event.u64(48),
  quoteAmount: event.u64(56),
})

/** Withdrawals of the quote token have the same accounts: 5 quote mint, 6 who withdraws. */
const surplus = (event: AccountReader, account: AccountAt) => ({
  pool: event.address(16),
  claimer: account(6),
  quoteMint: account(5),
  amount: event.u64(48),
})
