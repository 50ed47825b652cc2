import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Layer } from "effect"
import { TokenMetadataBytes } from "../../src/build/LaunchCosts.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import type { LedgerOptions } from "../../src/localnet/LedgerOptions.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { rpcOver } from "./CountedChain.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
export const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))

/** Whether these programs are there, by the names of their files. */
export const hasPrograms = (...names: ReadonlyArray<string>): boolean =>
  names.every((name) => existsSync(`${PROGRAMS}/${name}.so`))
export const hasLaunchPrograms = hasPrograms("dynamic_bonding_curve", "metaplex")
export const hasDammV2Programs = hasLaunchPrograms && hasPrograms("cp_amm")
export const hasDammV1Programs = hasLaunchPrograms && hasPrograms("amm", "vault")

/** Every builder, over a local chain with the programs that are there. */
export const launchServices = (
  options: Partial<LedgerOptions> = {},
  directory: Layer.Layer<PoolDirectory> = PoolDirectory.layerEmpty,
) =>
  Layer.mergeAll(LaunchTransactions.layer(), OneStepLaunches.layer(), Swaps.layer, Holders.layer()).pipe(
    Layer.provideMerge(Layer.provide(Pools.layer, directory)),
    Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
    Layer.provideMerge(LocalChain.layer({ programsFolders: [PROGRAMS], ...options })),
    // The public fixture of the Token Metadata program is of before its accounts became smaller.
    Layer.provideMerge(Layer.succeed(TokenMetadataBytes, 679)),
  )
