import type { Venue } from "@launch-registry/domain/launch/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { ConfigAccount } from "./ConfigAccount.ts"
import { dammV1PoolAddress, dammV2PoolAddress } from "./DerivedAddresses.ts"
import { DAMM_V1_CONFIGS, DAMM_V2_CONFIGS } from "./Programs.ts"

const DAMM_V1 = 0
const DAMM_V2 = 1

/** The pool that a curve migrates to. Its address follows from the configuration, before the pool exists. */
export interface Destination {
  readonly venue: Exclude<Venue, "dbc">
  readonly pool: Address
}

/**
 * Where curves of a configuration migrate to; `undefined` for an option that is not known. The DBC program accepts no other
 * DAMM configurations, and these let nobody but the DBC program create a pool, so nobody else can have one at this address.
 */
export const destinationOf = async (
  { migrationFeeOption, migrationOption, quoteMint }: ConfigAccount,
  baseMint: string,
): Promise<Destination | undefined> => {
  const [v1, v2] = [DAMM_V1_CONFIGS[migrationFeeOption], DAMM_V2_CONFIGS[migrationFeeOption]]
  if (migrationOption === DAMM_V2 && v2 !== undefined)
    return { venue: "damm_v2", pool: (await dammV2PoolAddress(v2, baseMint, quoteMint)) as string as Address }
  if (migrationOption === DAMM_V1 && v1 !== undefined)
    return { venue: "damm_v1", pool: (await dammV1PoolAddress(v1, baseMint, quoteMint)) as string as Address }
  return undefined
}
