import { claimEndpoint } from "./ClaimFees.ts"
import { creatorEndpoint } from "./CreatorFigures.ts"
import { claimsEndpoint } from "./FeeClaims.ts"
import { liquidityChangesEndpoint } from "./LiquidityChanges.ts"
import { poolFeesEndpoint } from "../pools/PoolFees.ts"
import { transferCreatorEndpoint } from "./TransferCreator.ts"

/** What creators and partners earn. */
export const earnEndpoints = [
  ...([poolFeesEndpoint, claimEndpoint, claimsEndpoint, liquidityChangesEndpoint, creatorEndpoint] as const),
  transferCreatorEndpoint,
] as const
