import { claimEndpoint } from "./ClaimFees.ts"
import { creatorEndpoint } from "./CreatorFigures.ts"
import { claimsEndpoint } from "./FeeClaims.ts"
import { poolFeesEndpoint } from "./PoolFees.ts"
import { transferCreatorEndpoint } from "./TransferCreator.ts"

/** What creators and partners earn. */
export const earnEndpoints = [
  ...([poolFeesEndpoint, claimEndpoint, claimsEndpoint, creatorEndpoint, transferCreatorEndpoint] as const),
] as const
