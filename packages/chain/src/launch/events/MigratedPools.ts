import { createHash } from "node:crypto"
import { decodeBase58 } from "@launch-registry/solana/Base58"
import { DAMM_V2_CONFIGS, DAMM_V2_PROGRAM } from "../Programs.ts"

/** `["pool", config, larger mint, smaller mint]` of DAMM v2, the bump, the program, and what follows in every derived address. */
const SEED = Buffer.from("pool")
const TAIL = Buffer.concat([decodeBase58(DAMM_V2_PROGRAM)!, Buffer.from("ProgramDerivedAddress")])
const ADDRESS_BYTES = 32
/** Longest base58 of an address. */
const TEXT_MAX = 44
const CONFIG_AT = SEED.length
const MINTS_AT = CONFIG_AT + ADDRESS_BYTES
const BUMP_AT = MINTS_AT + 2 * ADDRESS_BYTES
const CONFIGS = DAMM_V2_CONFIGS.map((address) => ({ address, bytes: decodeBase58(address)! }))

/** Every second bump gives an address that can be one: of 2^32 pools one would have a lower one. */
const [BUMP_MAX, BUMP_MIN] = [255, 224]

/** Pools of other programs' configurations pass by as well, below aggregators. */
const KNOWN_MAX = 10_000

interface Known {
  readonly baseMint: string
  readonly quoteMint: string
  readonly config: string | undefined
}
const known = new Map<string, Known>()

/**
 * The DAMM v2 configuration under which the DBC program created this pool, or `undefined` where it did not. These configurations name
 * the DBC program's authority as the only creator, and address and mints of a pool say under which configuration it was made: a pool that
 * anybody created of the same mints, at any price, has another address. So nothing needs to be known of the pool or its migration.
 *
 * Whether a bump is the pool's own needs no check, which would cost most of a derivation: the pool exists at this address.
 */
export const migrationConfigOf = (pool: string, baseMint: string, quoteMint: string): string | undefined => {
  // Received texts may be anything: what is no address is neither decoded nor remembered.
  if (pool.length > TEXT_MAX || baseMint.length > TEXT_MAX || quoteMint.length > TEXT_MAX) return undefined
  const last = known.get(pool)
  if (last !== undefined && last.baseMint === baseMint && last.quoteMint === quoteMint) return last.config
  const config = derivedConfig(pool, baseMint, quoteMint)
  if (last === undefined && known.size >= KNOWN_MAX) known.delete(known.keys().next().value!)
  known.set(pool, { baseMint, quoteMint, config })
  return config
}

const derivedConfig = (pool: string, baseMint: string, quoteMint: string): string | undefined => {
  const [address, base, quote] = [addressBytes(pool), addressBytes(baseMint), addressBytes(quoteMint)]
  if (address === undefined || base === undefined || quote === undefined) return undefined
  const mints = Buffer.compare(base, quote) > 0 ? [base, quote] : [quote, base]
  const seeds = Buffer.concat([SEED, Buffer.alloc(ADDRESS_BYTES), ...mints, Buffer.alloc(1), TAIL])
  for (let bump = BUMP_MAX; bump >= BUMP_MIN; bump--) {
    seeds[BUMP_AT] = bump
    for (const config of CONFIGS) {
      seeds.set(config.bytes, CONFIG_AT)
      if (createHash("sha256").update(seeds).digest().equals(address)) return config.address
    }
  }
  return undefined
}

const addressBytes = (text: string): Uint8Array | undefined => {
  const bytes = decodeBase58(text)
  return bytes?.length === ADDRESS_BYTES ? bytes : undefined
}
