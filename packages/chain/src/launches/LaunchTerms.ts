import type { LaunchTerms } from "@launch-registry/domain/pools/Schedules"
import type { ConfigAccount } from "../dbc/ConfigAccount.ts"
import { feeScheduleView } from "../dbc/FeeSchedule.ts"
import { vestingView } from "../dbc/Vesting.ts"

/** The schedules of a configuration, to the unit and the second. */
export const termsOf = ({
  feeSchedule,
  lockedVesting,
}: Pick<ConfigAccount, "feeSchedule" | "lockedVesting">): LaunchTerms => ({
  feeSchedule: feeSchedule ? feeScheduleView(feeSchedule) : null,
  lockedVesting: vestingView(lockedVesting),
})
