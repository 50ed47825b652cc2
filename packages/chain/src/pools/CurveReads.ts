import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import type { Rpc } from "../rpc/Rpc.ts"
import { readAccounts } from "../accounts/AccountReads.ts"
import { decodeConfig } from "../dbc/ConfigAccount.ts"
import { NATIVE_DECIMALS } from "./Pools.ts"
import { DBC_PROGRAM, NATIVE_MINT } from "../accounts/Programs.ts"
import { mintOf } from "../accounts/TokenLayouts.ts"

/** Accounts in one request. */
export const CURVES_MAX = 100

/** What a configuration says of its curves, and the decimals of the quote token; none of it changes. Amounts in smallest units. */
export interface CurveFacts {
  readonly config: string
  readonly quoteMint: string
  readonly baseDecimals: number
  readonly quoteDecimals: number
  /** Before the migration. */
  readonly supply: bigint
  readonly migrationQuoteThreshold: bigint
  /** Q64.64. */
  readonly startSqrtPrice: bigint
  /** Who may update the metadata of the tokens: the option of the program, 0 to 4. */
  readonly tokenUpdateAuthority: number
}

/** Reads up to {@link CURVES_MAX} configurations in one request, and their quote tokens but SOL in another. Unknown ones are left out. */
export const readCurves = Effect.fn("readCurves")(function* (
  rpc: Rpc["Service"],
  configs: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlyArray<CurveFacts>, Unavailable> {
  const { accounts } = yield* readAccounts(rpc, configs)
  const found = configs.flatMap((config, index) => {
    const account = accounts[index]
    const decoded = account?.owner === DBC_PROGRAM ? decodeConfig(account.data) : undefined
    return decoded === undefined ? [] : [{ ...decoded, config }]
  })
  const decimals = new Map<string, number | undefined>([[NATIVE_MINT, NATIVE_DECIMALS]])
  const mints = [...new Set(found.map(({ quoteMint }) => quoteMint))].filter((mint) => !decimals.has(mint))
  if (mints.length > 0) {
    const read = yield* readAccounts(rpc, mints)
    for (const [index, mint] of mints.entries()) decimals.set(mint, mintOf(read.accounts[index])?.decimals)
  }
  return found.flatMap(({ config, migrationQuoteThreshold, preMigrationTokenSupply, quoteMint, ...account }) => {
    const quoteDecimals = decimals.get(quoteMint)
    if (quoteDecimals === undefined) return []
    const { sqrtStartPrice: startSqrtPrice, tokenDecimal: baseDecimals, tokenUpdateAuthority } = account
    const supply = preMigrationTokenSupply
    return [
      {
        ...{ config, quoteMint, baseDecimals, quoteDecimals, supply, migrationQuoteThreshold, startSqrtPrice },
        tokenUpdateAuthority,
      },
    ]
  })
})
