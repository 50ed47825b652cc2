import { assert, it } from "@effect/vitest"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Layer } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

const [launch] = launches
const MINTS = 2_500
const BASE_MINT_OFFSET = 136

const mintOf = (index: number): string => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, index)
  return encodeBase58(bytes)
}

/** A chain on which the pool of every mint is at the address of the mint. */
const accountAt = (address: string) => {
  const isConfig = address === launch!.config.address
  const data = Buffer.from(isConfig ? launch!.config.data : launch!.pools.mid.data, "base64")
  if (!isConfig) data.set(decodeBase58(address)!, BASE_MINT_OFFSET)
  return { owner: DBC_PROGRAM, lamports: 1n, data: [data.toString("base64"), "base64"] }
}

const directory = Layer.succeed(PoolDirectory, {
  find: (baseMint) => Effect.succeed([{ pool: baseMint, config: launch!.config.address }]),
})

it.effect("The cache of pools by mint is bounded: the least recently used one is looked up again", () => {
  let requests = 0
  const kit = {
    getMultipleAccounts: (addresses: ReadonlyArray<string>) => {
      requests++
      return { context: { slot: 1n }, value: addresses.map(accountAt) }
    },
  }
  const rpc = Layer.succeed(Rpc, {
    call: (request: (api: typeof kit) => unknown) => Effect.sync(() => request(kit)),
  } as never)
  const requestsFor = (use: Effect.Effect<unknown, unknown, Pools>) =>
    Effect.suspend(() => {
      requests = 0
      return Effect.map(use, () => requests)
    })
  const seen = (index: number) => requestsFor(Effect.flatMap(Pools, ({ getFacts }) => getFacts(mintOf(index))))
  return Effect.gen(function* () {
    assert.strictEqual(yield* seen(0), 1)
    assert.strictEqual(yield* seen(0), 0)
    for (let index = 1; index <= MINTS; index++) yield* seen(index)
    assert.strictEqual(yield* seen(MINTS), 0)
    assert.strictEqual(yield* seen(0), 1)
  }).pipe(Effect.provide(Pools.layer.pipe(Layer.provide([directory, rpc]))))
})
