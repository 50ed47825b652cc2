import launches from "../../fixtures/launches.json" with { type: "json" }
import migrations from "../../fixtures/migrated.json" with { type: "json" }
import { tokenMetadataAddress } from "../accounts/DerivedAddresses.ts"
import { METADATA_PROGRAM, NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { metaplexMetadataData, mint2022Data, mintData, tokenAccountData } from "./TokenAccounts.ts"

/** How far along its curve a seeded launch is. */
export type SeedStage = "fresh" | "mid" | "complete" | "migrated"

/** An account to seed the local chain with. */
export interface SeedAccount {
  readonly address: string
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
}

/** Rent of mainnet since September 2026, the second of five steps down from 6,960. */
export const LAMPORTS_PER_BYTE = 5_080n

/** Lamports that keep an account of this size alive. */
export type RentOf = (bytes: number) => bigint

const DECIMALS = 6
const SUPPLY = 10n ** 15n

/** Mints of the captured launches that the local chain is seeded with. */
export const SEEDED_MINTS = { spl: launches[0]!.baseMint, token2022: launches[1]!.baseMint } as const

/** Where the pools of the captured launches are, and what was launched. */
export const SEEDED_POOLS: ReadonlyArray<{
  readonly baseMint: string
  readonly pool: string
  readonly config: string
  readonly creator: string
  readonly name: string
  readonly symbol: string
  readonly uri: string
}> = launches.map(({ baseMint, config, creator, name, pools, symbol, uri }) => ({
  ...{ baseMint, pool: pools.mid.address, config: config.address },
  ...{ creator, name, symbol, uri },
}))

/** Slot and time of the captured launches; the local chain continues from there. */
export const SEED_SLOT = BigInt(Math.max(...launches.map(({ slot }) => slot)))
export const SEED_TIME_SECONDS = Math.max(...launches.map(({ blockTime }) => blockTime))

/**
 * The accounts of the captured launches at `stage`: config, pool and metadata as captured, mints and token accounts
 * rebuilt from the balances that the captured transactions left; at `migrated` also the DAMM v2 pools with their vaults.
 */
export const seedAccounts = async (stage: SeedStage, rentOf: RentOf): Promise<ReadonlyArray<SeedAccount>> =>
  (await Promise.all(launches.map((launch) => launchAccounts(launch, stage, rentOf)))).flat()

const launchAccounts = async (
  launch: (typeof launches)[number],
  stage: SeedStage,
  rentOf: RentOf,
): Promise<ReadonlyArray<SeedAccount>> => {
  const dammAccounts = migrations.filter(({ baseMint }) => stage === "migrated" && baseMint === launch.baseMint)
  const captured = [
    ...[launch.config, launch.pools[stage], launch.poolMetadata],
    ...dammAccounts.flatMap(({ accounts }) => accounts),
  ].map(({ address, data, lamports, owner }) => ({
    address,
    owner,
    lamports: BigInt(lamports),
    data: Uint8Array.from(Buffer.from(data, "base64")),
  }))
  const program = launch.launch === "token2022" ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const withRent = (address: string, owner: string, data: Uint8Array, extra = 0n): SeedAccount => ({
    address,
    owner,
    data,
    lamports: rentOf(data.length) + extra,
  })
  const mint =
    program === TOKEN_2022_PROGRAM
      ? mint2022Data(launch.baseMint, SUPPLY, DECIMALS, launch)
      : mintData(SUPPLY, DECIMALS)
  // A migration moves what the vaults hold; holders keep what they had when the curve was complete.
  const balances = launch.balances[stage === "migrated" ? "complete" : stage]
  const tokenAccounts = balances.map(({ address, amount, mint, owner }) => {
    const isNative = mint === NATIVE_MINT
    const accountProgram = isNative ? TOKEN_PROGRAM : program
    const details = { mint, owner, amount: BigInt(amount), program: accountProgram, rentLamports: rentOf(165) }
    return withRent(address, accountProgram, tokenAccountData(details), isNative ? BigInt(amount) : 0n)
  })
  const label =
    program === TOKEN_PROGRAM
      ? [
          withRent(
            await tokenMetadataAddress(launch.baseMint),
            METADATA_PROGRAM,
            metaplexMetadataData(launch.baseMint, launch.creator, launch),
          ),
        ]
      : []
  return [...captured, withRent(launch.baseMint, program, mint), ...tokenAccounts, ...label]
}
