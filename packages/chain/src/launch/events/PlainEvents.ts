import type { AccountReader } from "../AccountReader.ts"
import type { DbcFact } from "./DbcEvent.ts"
import type { EventName } from "./EventLayouts.ts"

/**
 * Events decoded from their own fields alone; fields start @16, addresses take 32 bytes and amounts 8 (DBC IDL
 * 0.2.1).
 */
export const PLAIN_EVENTS: Readonly<Partial<Record<EventName, (event: AccountReader) => DbcFact>>> = {
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
  EvtClaimTradingFee: (event) => ({ ...claim(event), type: "TradingFeeClaimed", by: "partner" }),
  EvtClaimCreatorTradingFee: (event) => ({ ...claim(event), type: "TradingFeeClaimed", by: "creator" }),
  EvtPartnerWithdrawSurplus: (event) => ({ ...surplus(event), type: "SurplusWithdrawn", by: "partner" }),
  EvtCreatorWithdrawSurplus: (event) => ({ ...surplus(event), type: "SurplusWithdrawn", by: "creator" }),
  EvtWithdrawLeftover: (event) => ({
    type: "LeftoverWithdrawn",
    pool: event.address(16),
    receiver: event.address(48),
    amount: event.u64(80),
  }),
  EvtWithdrawMigrationFee: (event) => ({
    type: "MigrationFeeWithdrawn",
    pool: event.address(16),
    amount: event.u64(48),
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

const claim = (event: AccountReader) => ({
  pool: event.address(16),
  baseAmount: event.u64(48),
  quoteAmount: event.u64(56),
})

const surplus = (event: AccountReader) => ({ pool: event.address(16), amount: event.u64(48) })
