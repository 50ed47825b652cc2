import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import launches from "../../fixtures/launches.json" with { type: "json" }
import {
  poolAddress,
  poolMetadataAddress,
  tokenMetadataAddress,
  vaultAddress,
} from "../../src/accounts/DerivedAddresses.ts"
import { DBC_PROGRAM, NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { dammSwapInstruction } from "../../src/dammV2/DammInstructions.ts"
import { decodeDammPool } from "../../src/dammV2/DammPoolAccount.ts"
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { initializePoolInstruction, poolMetadataInstruction } from "../../src/dbc/DbcInstructions.ts"
import { mintData } from "../../src/localnet/TokenAccounts.ts"
import { swapInstructions } from "../../src/swaps/SwapInstructions.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { generatedCurve } from "./GeneratedCurves.ts"
import { DAMM_MINTS, generatedDammPool } from "./GeneratedDammPools.ts"
import { big, damm, dbcOver, decodedPool, keyOf, plain, plainLegacy, web3 } from "./MeteoraSdk.ts"

const OWNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const owner = keyOf(OWNER)
const SWAPS = 40
const DAMM_SWAPS = 200
const LABEL = { name: "Näme", symbol: "SYM", uri: "https://example.com/x.json" }

const random = seeded(2)
const address = () => encodeBase58(Uint8Array.from({ length: 32 }, () => random.int(0, 255)))
const bytesOf = (data: string) => Uint8Array.from(Buffer.from(data, "base64"))

describe("Instructions equal the SDK's byte for byte", () => {
  it("for swaps on generated curves", async () => {
    for (let round = 0; round < SWAPS; round++) {
      const curve = generatedCurve(random)
      const swapBaseForQuote = random.pick([true, false])
      const [amountIn, minimumAmountOut] = [BigInt(random.int(1, 2_147_483_647)) * 1_000n, BigInt(random.int(0, 1_000))]
      const referral = random.maybe(address)
      const accounts = {
        ...{ [curve.address]: curve.poolBytes, [curve.pool.config]: curve.configBytes },
        [NATIVE_MINT]: mintData(0n, 9),
      }
      const theirs = await dbcOver(accounts).pool.swap({
        ...{ owner, pool: keyOf(curve.address), swapBaseForQuote },
        ...{ amountIn: big(amountIn), minimumAmountOut: big(minimumAmountOut) },
        referralTokenAccount: referral === undefined ? null : keyOf(referral),
      })
      const swap = { baseMint: curve.base.mint, signer: OWNER, amountIn, slippageBps: 0, swapBaseForQuote }
      const all = await swapInstructions(
        curve,
        { ...swap, ...(referral && { referralTokenAccount: referral }) },
        minimumAmountOut,
      )
      const [ours, legacy] = [all.map(plain), theirs.instructions.map(plainLegacy)]
      const programs = (some: ReadonlyArray<{ readonly program: string }>) => some.map(({ program }) => program)
      assert.deepStrictEqual(programs(ours), programs(legacy))
      const swapAt = programs(ours).indexOf(DBC_PROGRAM)
      assert.deepStrictEqual(ours[swapAt], legacy[swapAt])
    }
  })

  it("for swaps on generated DAMM v2 pools; with a rate limiter ours always names the sysvar", async () => {
    const limited: Array<boolean> = []
    for (let round = 0; round < DAMM_SWAPS; round++) {
      const { amountIn, baseFeeMode, bytes } = generatedDammPool(random)
      const [pool, referral] = [address(), random.maybe(address)]
      const program = random.pick([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
      const minimumAmountOut = BigInt(random.int(0, 2_147_483_647))
      const { tokenAMint, tokenAVault, tokenBMint, tokenBVault } = decodedPool(bytes)
      const [inputTokenAccount, outputTokenAccount] = [address(), address()]
      const isLimited = baseFeeMode === 2
      const sysvar = { pubkey: web3.SYSVAR_INSTRUCTIONS_PUBKEY, isSigner: false, isWritable: false }
      const theirs = await damm.methods
        .swap({ amountIn: big(amountIn), minimumAmountOut: big(minimumAmountOut) })
        .accountsPartial({
          ...{ pool, inputTokenAccount, outputTokenAccount, payer: OWNER, referralTokenAccount: referral ?? null },
          ...{ tokenAVault, tokenBVault, tokenAMint, tokenBMint, tokenAProgram: program, tokenBProgram: TOKEN_PROGRAM },
        })
        .remainingAccounts(isLimited ? [sysvar] : [])
        .instruction()
      const pair = {
        base: { mint: DAMM_MINTS.a, program, decimals: 6 },
        quote: { mint: DAMM_MINTS.b, program: TOKEN_PROGRAM, decimals: 9 },
      }
      const ours = dammSwapInstruction(
        { address: pool, pair, pool: decodeDammPool(bytes)! },
        {
          ...{ inputTokenAccount, outputTokenAccount, payer: OWNER, referralTokenAccount: referral },
          ...{ swapBaseForQuote: false, amountIn, minimumAmountOut },
        },
      )
      assert.deepStrictEqual(plain(ours), plainLegacy(theirs))
      limited.push(isLimited)
    }
    assert.include(limited, true)
  })

  it.each(launches)("for the creation of a pool and its metadata, as the $launch launch", async ({ config, pools }) => {
    const { creator } = dbcOver({ [config.address]: bytesOf(config.data), [NATIVE_MINT]: mintData(0n, 9) })
    const { quoteMint, tokenType } = decodeConfig(bytesOf(config.data))!
    const baseMint = address()
    const pool = await poolAddress(config.address, baseMint, quoteMint)
    const [baseVault, quoteVault] = [await vaultAddress(baseMint, pool), await vaultAddress(quoteMint, pool)]
    const created = initializePoolInstruction(
      {
        ...{ config: config.address, creator: OWNER, payer: OWNER, baseMint, quoteMint, pool, baseVault, quoteVault },
        quoteTokenProgram: TOKEN_PROGRAM,
        ...(tokenType === 0 && { mintMetadata: await tokenMetadataAddress(baseMint) }),
      },
      LABEL,
    )
    const named = { payer: owner, poolCreator: owner, config: keyOf(config.address), baseMint: keyOf(baseMint) }
    const theirs = await creator.createPool({ ...LABEL, ...named } as never)
    const legacy = theirs.instructions.map((one) => plainLegacy(one as never))
    assert.deepStrictEqual(
      plain(created),
      legacy.find(({ program }) => program === DBC_PROGRAM),
    )

    const texts = { name: "Näme", website: "https://example.com", logo: "" }
    const virtualPool = pools.mid.address
    const published = await creator.createPoolMetadata({
      ...{ ...texts, virtualPool: keyOf(virtualPool), creator: owner, payer: owner },
    } as never)
    const metadata = await poolMetadataAddress(virtualPool)
    const ours = poolMetadataInstruction({ pool: virtualPool, metadata, creator: OWNER, payer: OWNER }, texts)
    const expected = plainLegacy(published.instructions[0] as never)
    // Programs before 0.2 want the pool writable.
    const accounts = expected.accounts.map((account, index) => (index === 0 ? [virtualPool, false, true] : account))
    assert.deepStrictEqual(plain(ours), { ...expected, accounts })
  })
})
