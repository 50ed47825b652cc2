import { eventsOfLayouts } from "../transactions/EncodedEvents.ts"

export type EventName = (typeof LAYOUTS)[number]["name"]

/** Events of constant size (DBC IDL 0.2.1); the second discriminator of a name is that of transfer-hook pools. */
const LAYOUTS = [
  { name: "EvtSwap2", discriminator: "bd4233a826507599", bytes: 195 },
  { name: "EvtSwap2", discriminator: "863ba8785e3372e7", bytes: 195 },
  { name: "EvtSwap", discriminator: "1b3c15d58aaabb93", bytes: 170 },
  { name: "EvtInitializePool", discriminator: "e432f655cb428625", bytes: 153 },
  { name: "EvtInitializePool", discriminator: "d589a435c14a0f6e", bytes: 153 },
  { name: "EvtCurveComplete", discriminator: "e5e756549c864b18", bytes: 96 },
  { name: "EvtCurveComplete", discriminator: "3b2f6dcd0d1f2c9f", bytes: 96 },
  { name: "EvtUpdatePoolCreator", discriminator: "6be1a5ed5b9ed5dc", bytes: 112 },
  { name: "EvtVirtualPoolMetadata", discriminator: "bc12484cc35b264a", bytes: 80 },
  { name: "EvtPartnerMetadata", discriminator: "c87f06370d200896", bytes: 80 },
  { name: "EvtClaimTradingFee", discriminator: "1a5375f05cca70fe", bytes: 64 },
  { name: "EvtClaimCreatorTradingFee", discriminator: "9ae4d7ca859bd68a", bytes: 64 },
  { name: "EvtPartnerWithdrawSurplus", discriminator: "c3389809e8482316", bytes: 56 },
  { name: "EvtCreatorWithdrawSurplus", discriminator: "9849150f4257359d", bytes: 56 },
  { name: "EvtWithdrawLeftover", discriminator: "bfbd688f6f9c5ee5", bytes: 88 },
  { name: "EvtWithdrawMigrationFee", discriminator: "1acb5455a11764d6", bytes: 57 },
  { name: "EvtClaimPoolCreationFee", discriminator: "956f952c8840af3e", bytes: 88 },
  { name: "EvtPartnerClaimPoolCreationFee", discriminator: "aedf2c96916259c3", bytes: 120 },
  { name: "EvtClaimProtocolFee2", discriminator: "bb854209cda1540d", bytes: 120 },
] as const

/** The events of the DBC program. */
export const { nameOf: eventName, read: encodedEvent } = eventsOfLayouts<EventName>(LAYOUTS)
