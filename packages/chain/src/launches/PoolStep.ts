import { Effect } from "effect"
import type { ConfigFacts } from "./ConfigStep.ts"
import { poolAddress, poolMetadataAddress, tokenMetadataAddress, vaultAddress } from "../accounts/DerivedAddresses.ts"
import { initializePoolInstruction, poolMetadataInstruction } from "../dbc/DbcInstructions.ts"
import type { QuoteMint } from "../accounts/QuoteMint.ts"
import { poolCosts, poolMetadataCosts, TokenMetadataBytes } from "../build/LaunchCosts.ts"
import type { LaunchStep } from "../build/LaunchStep.ts"
import type { NewMint } from "./NewMint.ts"
import type { RentOf } from "../accounts/Rent.ts"
import type { PoolMetadataTexts, TokenLabel } from "../accounts/TokenLabelAccounts.ts"

/** Measured use (80-116k) with room above it. */
const POOL_UNITS = 180_000
/** Measured at 22k. */
const METADATA_UNITS = 40_000

/** Token and pool to create. */
export interface PoolStepRequest {
  readonly signer: string
  readonly config: string
  readonly facts: ConfigFacts
  readonly label: TokenLabel
  readonly mint: NewMint
  readonly quote: Pick<QuoteMint, "badge" | "program">
  readonly rent: RentOf
}

/** The step that creates token and pool. */
export const poolStep = Effect.fnUntraced(function* (request: PoolStepRequest) {
  const { config, facts, label, mint, quote, rent, signer } = request
  const { quoteMint, tokenType } = facts
  const pool = yield* Effect.promise(() => poolAddress(config, mint.address, quoteMint))
  const [baseVault, quoteVault, metadata] = yield* Effect.promise(() =>
    Promise.all([vaultAddress(mint.address, pool), vaultAddress(quoteMint, pool), tokenMetadataAddress(mint.address)]),
  )
  const accounts = { config, baseMint: mint.address, quoteMint, pool, baseVault, quoteVault }
  const ofSpl = tokenType === 0 ? { mintMetadata: metadata } : {}
  const { poolCreationFee } = facts
  const step: LaunchStep = {
    purpose: "pool",
    instructions: [
      initializePoolInstruction(
        {
          ...{ ...accounts, ...ofSpl, creator: signer, payer: signer },
          ...{ quoteTokenProgram: quote.program, tokenBadge: quote.badge },
        },
        label,
      ),
    ],
    keys: mint.keyPair === undefined ? [] : [mint.keyPair],
    computeUnits: POOL_UNITS,
    costs: poolCosts(
      rent,
      { ...accounts, ...ofSpl },
      { label, poolCreationFee, tokenMetadataBytes: yield* TokenMetadataBytes },
    ),
    lent: 0n,
  }
  return { step, accounts }
})

/** The step that publishes what is said about a pool. */
export const poolMetadataStep = Effect.fnUntraced(function* (
  { pool, signer }: { readonly pool: string; readonly signer: string },
  texts: PoolMetadataTexts,
  rent: RentOf,
) {
  const metadata = yield* Effect.promise(() => poolMetadataAddress(pool))
  const step: LaunchStep = {
    purpose: "pool_metadata",
    instructions: [poolMetadataInstruction({ pool, metadata, creator: signer, payer: signer }, texts)],
    keys: [],
    computeUnits: METADATA_UNITS,
    costs: poolMetadataCosts(rent, metadata, texts),
    lent: 0n,
  }
  return step
})
