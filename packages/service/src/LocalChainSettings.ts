import type { LedgerOptions } from "@launch-registry/chain/localnet/LedgerOptions"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

export const LOCAL_CHAIN_NAMES: ReadonlyArray<string> = [
  ...["LOCAL_CHAIN_PORT", "LOCAL_CHAIN_LAMPORTS_PER_BYTE", "LOCAL_CHAIN_SLOT_MILLIS"],
]

export type LocalChainSettings = Pick<LedgerOptions, "lamportsPerByte" | "slotMillis">

/** Rent and slot time of the local chain among `values`; where they are absent, those of mainnet. Faults are reported as name and expectation. */
export const readLocalChainSettings = (
  values: Readonly<Record<string, string | undefined>>,
  hasLocalChain: boolean,
  fault: Fault,
): LocalChainSettings => {
  if (!hasLocalChain)
    for (const name of LOCAL_CHAIN_NAMES)
      if (values[name] !== undefined) fault(name, "no value without a local chain (RUN_MODE=local and no RPC_URL)")
  const whole = wholeSettings(values, fault)
  const lamportsPerByte = whole("LOCAL_CHAIN_LAMPORTS_PER_BYTE", "lamports", 1, 1_000_000)
  const slotMillis = whole("LOCAL_CHAIN_SLOT_MILLIS", "milliseconds", 50, 10_000)
  return {
    ...(lamportsPerByte !== undefined && { lamportsPerByte: BigInt(lamportsPerByte) }),
    ...(slotMillis !== undefined && { slotMillis }),
  }
}
