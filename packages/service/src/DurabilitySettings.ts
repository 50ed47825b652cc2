import type { DurabilityLevel } from "@launch-registry/postgres/durability/Durability"
import type { Fault } from "./WholeSetting.ts"

/** What an acknowledged write must survive; undefined without a demand. */
export type DurabilityDemand = DurabilityLevel | undefined

const DEMANDS: ReadonlyArray<DurabilityLevel> = ["local", "replicated"]

/** The demand of the settings. A fault is reported as name and expectation. */
export const readDurability = (
  values: Readonly<Record<string, string | undefined>>,
  fault: Fault,
): DurabilityDemand => {
  const text = values.DATABASE_DURABILITY
  const demanded = DEMANDS.find((level) => level === text)
  if (text !== undefined && demanded === undefined) fault("DATABASE_DURABILITY", "local or replicated")
  if (demanded === "replicated" && values.DATABASE_URL === undefined)
    fault("DATABASE_DURABILITY", "local without DATABASE_URL: the embedded database has no standby")
  return demanded
}
