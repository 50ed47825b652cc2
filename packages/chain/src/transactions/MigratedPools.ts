import { createHash } from "node:crypto"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { DAMM_V1_CONFIGS, DAMM_V1_PROGRAM, DAMM_V2_CONFIGS, DAMM_V2_PROGRAM } from "../accounts/Programs.ts"

const ADDRESS_BYTES = 32
/** Longest base58 of an address. */
const TEXT_MAX = 44
/** In seeds: a configuration, and the mints, the larger one first. */
const CONFIG = Buffer.alloc(ADDRESS_BYTES)
const MINTS = Buffer.alloc(2 * ADDRESS_BYTES)

/** Every second bump gives an address that can be one: of 2^32 pools one would have a lower one. */
const [BUMP_MAX, BUMP_MIN] = [255, 224]

/** Pools of other programs' configurations pass by as well, below aggregators. */
const KNOWN_MAX = 10_000

interface Known {
  readonly baseMint: string
  readonly quoteMint: string
  readonly config: string | undefined
}

/**
 * Tells under which of these configurations a pool of the program was made, by `seeds` as the program derives its pools from. A pool of
 * another address has none.
 *
 * Whether a bump is the pool's own needs no check, which would cost most of a derivation: the pool exists at this address.
 */
const configsOf = (program: string, seeds: ReadonlyArray<Buffer>, addresses: ReadonlyArray<string>) => {
  const configs = addresses.map((address) => ({ address, bytes: decodeBase58(address)! }))
  const tail = Buffer.concat([decodeBase58(program)!, Buffer.from("ProgramDerivedAddress")])
  const offsetOf = (seed: Buffer) => Buffer.concat(seeds.slice(0, seeds.indexOf(seed))).length
  const [configAt, mintsAt] = [offsetOf(CONFIG), offsetOf(MINTS)]
  const bumpAt = Buffer.concat(seeds).length
  const known = new Map<string, Known>()

  const derivedConfig = (pool: string, baseMint: string, quoteMint: string): string | undefined => {
    const [address, base, quote] = [addressBytes(pool), addressBytes(baseMint), addressBytes(quoteMint)]
    if (address === undefined || base === undefined || quote === undefined) return undefined
    const mints = Buffer.compare(base, quote) > 0 ? [base, quote] : [quote, base]
    const hashed = Buffer.concat([...seeds, Buffer.alloc(1), tail])
    hashed.set(Buffer.concat(mints), mintsAt)
    for (let bump = BUMP_MAX; bump >= BUMP_MIN; bump--) {
      hashed[bumpAt] = bump
      for (const config of configs) {
        hashed.set(config.bytes, configAt)
        if (createHash("sha256").update(hashed).digest().equals(address)) return config.address
      }
    }
    return undefined
  }

  return (pool: string, baseMint: string, quoteMint: string): string | undefined => {
    // Received texts may be anything: what is no address is neither decoded nor remembered.
    if (pool.length > TEXT_MAX || baseMint.length > TEXT_MAX || quoteMint.length > TEXT_MAX) return undefined
    const last = known.get(pool)
    if (last !== undefined && last.baseMint === baseMint && last.quoteMint === quoteMint) return last.config
    const config = derivedConfig(pool, baseMint, quoteMint)
    if (last === undefined && known.size >= KNOWN_MAX) known.delete(known.keys().next().value!)
    known.set(pool, { baseMint, quoteMint, config })
    return config
  }
}

/**
 * The DAMM v2 configuration under which the DBC program created this pool, or `undefined` where it did not. These configurations name
 * the DBC program's authority as the only creator, and address and mints of a pool say under which configuration it was made: a pool that
 * anybody created of the same mints, at any price, has another address. So nothing needs to be known of the pool or its migration.
 */
export const migrationConfigOf = configsOf(DAMM_V2_PROGRAM, [Buffer.from("pool"), CONFIG, MINTS], DAMM_V2_CONFIGS)

/**
 * The same of DAMM v1: its pools of a configuration are derived from mints and configuration alone, its other pools from shorter seeds,
 * and `migrate_meteora_damm` takes no configuration but one whose only creator is the DBC program's authority.
 */
export const dammV1ConfigOf = configsOf(DAMM_V1_PROGRAM, [MINTS, CONFIG], DAMM_V1_CONFIGS)

/** The venue that a pool of these mints is at, where the DBC program created it. */
export const migratedVenueOf = (
  pool: string,
  baseMint: string,
  quoteMint: string,
): Exclude<Venue, "dbc"> | undefined => {
  if (migrationConfigOf(pool, baseMint, quoteMint) !== undefined) return "damm_v2"
  return dammV1ConfigOf(pool, baseMint, quoteMint) === undefined ? undefined : "damm_v1"
}

const addressBytes = (text: string): Uint8Array | undefined => {
  const bytes = decodeBase58(text)
  return bytes?.length === ADDRESS_BYTES ? bytes : undefined
}
