import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { largestThat, leastOf } from "../../src/venues/Fill.ts"
import { DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { swapInstructions } from "../../src/swaps/SwapInstructions.ts"
import { curveOf } from "./CurveOf.ts"
import { seeded } from "./GeneratedConfigs.ts"

const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")
const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))(
  "@solana/web3.js",
)
const { default: BN } = await import("bn.js")

const QUOTES = 400
const SWAPS = 20
const OWNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const SOL = "So11111111111111111111111111111111111111112"

const bytesOf = (data: string) => Buffer.from(data, "base64")

/** A pool at some point of its curve, and its configuration, as bytes: generated values overwrite captured accounts. */
const generated = (random: ReturnType<typeof seeded>) => {
  const { int, pick } = random
  const launch = pick(launches)
  const [pool, config] = [bytesOf(launch.pools.mid.data), bytesOf(launch.config.data)]
  const { curve, migrationQuoteThreshold, sqrtStartPrice } = decodeConfig(config)!
  const end = curve[curve.length - 1]!.sqrtPrice
  const sqrtPrice = sqrtStartPrice + ((end - sqrtStartPrice) * BigInt(int(0, 999_999))) / 1_000_000n
  pool.writeBigUInt64LE((migrationQuoteThreshold * BigInt(int(0, 999_999))) / 1_000_000n, 240)
  pool.writeBigUInt64LE(sqrtPrice & 0xffff_ffff_ffff_ffffn, 280)
  pool.writeBigUInt64LE(sqrtPrice >> 64n, 288)
  config.writeUInt8(pick([0, 1]), 130)
  config.writeUInt8(pick([0, 1]), 232)
  config.writeUInt8(pick([0, 1]), 365)
  const activation = launch.blockTime
  pool.writeBigUInt64LE(BigInt(activation), 296)
  return {
    launch,
    snapshot: curveOf(launch.pools.mid.address, pool, config, BigInt(activation + int(0, 100_000))),
  }
}

/** The SDK over given accounts, whatever it requests. */
const clientOver = (accounts: ReadonlyMap<string, Uint8Array>) => {
  const connection = Object.assign(new web3.Connection("http://127.0.0.1:9", "confirmed"), {
    getAccountInfo: async (key: { toBase58(): string }) => {
      const data = accounts.get(key.toBase58())
      const owner = new web3.PublicKey(DBC_PROGRAM)
      return data === undefined ? null : { data: Buffer.from(data), owner, lamports: 1, executable: false }
    },
    getAccountInfoAndContext: async function (key: never) {
      return { context: { slot: 1 }, value: await this.getAccountInfo(key) }
    },
  })
  return new sdk.DynamicBondingCurveClient(connection, "confirmed")
}

describe("For generated pools", () => {
  it("quotes equal the SDK's to the unit, or both refuse; and the largest amount is the largest", async () => {
    const random = seeded(1)
    const client = clientOver(new Map())
    const { coder } = client.pool.getProgram()
    let quoted = 0
    for (let round = 0; round < QUOTES; round++) {
      const { snapshot } = generated(random)
      const [swapBaseForQuote, hasReferral] = [random.pick([true, false]), random.pick([true, false])]
      const amountIn = BigInt(random.int(1, 2_000_000_000)) * 10n ** BigInt(random.int(0, 5))
      const slippageBps = random.int(0, 10_000)
      const quoteOf = await Effect.runPromise(
        snapshot.venue.quote({ swapBaseForQuote, ...(hasReferral && { referralTokenAccount: OWNER }) }),
      )
      const theirs = () =>
        client.pool.swapQuote({
          virtualPool: coder.accounts.decode("virtualPool", Buffer.from(snapshot.poolBytes)),
          config: coder.accounts.decode("poolConfig", Buffer.from(snapshot.configBytes)),
          swapBaseForQuote,
          amountIn: new BN(amountIn.toString()),
          slippageBps,
          hasReferral,
          eligibleForFirstSwapWithMinFee: false,
          currentPoint: new BN(snapshot.currentPoint.toString()),
        })
      let wanted: ReturnType<typeof theirs> | undefined
      try {
        wanted = theirs()
      } catch {
        assert.isUndefined(quoteOf(amountIn))
        const largest = largestThat(amountIn, (amount) => quoteOf(amount) !== undefined)
        assert.isUndefined(quoteOf(largest + 1n))
        if (largest > 0n) assert.isDefined(quoteOf(largest))
        continue
      }
      quoted++
      const fill = quoteOf(amountIn)!
      const fees = [wanted.tradingFee, wanted.protocolFee, wanted.referralFee].map((fee) => BigInt(fee.toString()))
      assert.deepInclude(fill, {
        amountOut: BigInt(wanted.outputAmount.toString()),
        fee: fees.reduce((sum, fee) => sum + fee, 0n),
      })
      assert.strictEqual(String(leastOf(fill, slippageBps)), wanted.minimumAmountOut.toString())
    }
    assert.isAbove(quoted, QUOTES / 3)
  })

  it("the swap instruction equals the SDK's byte for byte", async () => {
    const random = seeded(2)
    for (let round = 0; round < SWAPS; round++) {
      const { launch, snapshot } = generated(random)
      const swapBaseForQuote = random.pick([true, false])
      const amountIn = BigInt(random.int(1, 2_147_483_647)) * BigInt(random.int(1, 1_000_000))
      const minimumAmountOut = BigInt(random.int(0, 2_147_483_647))
      const referral = random.maybe(() => encodeBase58(Uint8Array.from({ length: 32 }, () => random.int(0, 255))))
      const client = clientOver(
        new Map([
          [launch.pools.mid.address, snapshot.poolBytes],
          [launch.config.address, snapshot.configBytes],
          [SOL, new Uint8Array(82)],
        ]),
      )
      const transaction = await client.pool.swap({
        owner: new web3.PublicKey(OWNER),
        pool: new web3.PublicKey(launch.pools.mid.address),
        amountIn: new BN(amountIn.toString()),
        minimumAmountOut: new BN(minimumAmountOut.toString()),
        swapBaseForQuote,
        referralTokenAccount: referral === undefined ? null : new web3.PublicKey(referral),
      })
      const theirs = transaction.instructions.find(({ programId }) => programId.toBase58() === DBC_PROGRAM)!
      const swap = {
        baseMint: snapshot.base.mint,
        signer: OWNER,
        amountIn,
        slippageBps: 0,
        swapBaseForQuote,
        ...(referral === undefined ? {} : { referralTokenAccount: referral }),
      }
      const all = await swapInstructions(snapshot, swap, minimumAmountOut)
      const ours = all.find(({ programAddress }) => programAddress === DBC_PROGRAM)!
      assert.deepStrictEqual(Buffer.from(ours.data!), Buffer.from(theirs.data))
      assert.deepStrictEqual(
        ours.accounts!.map(({ address }) => String(address)),
        theirs.keys.map(({ pubkey }) => pubkey.toBase58()),
      )
    }
  })
})
