import { createRequire } from "node:module"
import * as sdk from "@meteora-ag/cp-amm-sdk"
import { DynamicBondingCurveClient } from "@meteora-ag/dynamic-bonding-curve-sdk"
import { AccountRole, type Instruction } from "@solana/kit"
import BN from "bn.js"
import { DBC_PROGRAM, NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"

/** web3.js v1 as both SDKs resolve it. */
export const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/cp-amm-sdk"))("@solana/web3.js")

export const big = (value: bigint) => new BN(value.toString())
export const keyOf = (address: string) => new web3.PublicKey(address)

const connection = () => new web3.Connection("http://127.0.0.1:9", "confirmed")

/** Meteora's SDK for DAMM v2, which what is computed here is compared with. It asks for a connection that nothing calls. */
export const damm = new sdk.CpAmm(connection())._program

/** Meteora's SDK for DBC over these accounts, whatever it requests. */
export const dbcOver = (accounts: Readonly<Record<string, Uint8Array>> = {}) =>
  new DynamicBondingCurveClient(
    Object.assign(connection(), {
      getAccountInfo: async (key: { toBase58(): string }) => {
        const data = accounts[key.toBase58()]
        const owner = keyOf(key.toBase58() === NATIVE_MINT ? TOKEN_PROGRAM : DBC_PROGRAM)
        return data === undefined ? null : { data: Buffer.from(data), owner, lamports: 1, executable: false }
      },
      getAccountInfoAndContext: async function (key: never) {
        return { context: { slot: 1 }, value: await this.getAccountInfo(key) }
      },
    }),
    "confirmed",
  )

/** A pool account of DAMM v2 as the SDK decodes it. */
export const decodedPool = (bytes: Uint8Array): sdk.PoolState => damm.coder.accounts.decode("pool", Buffer.from(bytes))

interface Swap {
  readonly amountIn: bigint
  readonly isBuy: boolean
  readonly currentPoint: bigint
  readonly hasReferral: boolean
}

/** What the SDK computes for an exact-in swap on DAMM v2; `undefined` where it throws: the price range ends. */
export const sdkFill = (pool: sdk.PoolState, { amountIn, currentPoint, hasReferral, isBuy }: Swap) => {
  const direction = isBuy ? sdk.TradeDirection.BtoA : sdk.TradeDirection.AtoB
  const mode = sdk.getFeeMode(pool.collectFeeMode, direction, hasReferral)
  try {
    const result = sdk.getSwapResultFromExactInput(pool, big(amountIn), mode, direction, big(currentPoint))
    const { claimingFee, compoundingFee, nextSqrtPrice, outputAmount, protocolFee, referralFee } = result
    return {
      amountOut: BigInt(outputAmount.toString()),
      fee: BigInt(claimingFee.add(compoundingFee).add(protocolFee).add(referralFee).toString()),
      nextSqrtPrice: BigInt(nextSqrtPrice.toString()),
    }
  } catch {
    return undefined
  }
}

/** An instruction in a form in which ours and the SDKs' are comparable: accounts with whether they sign, and are written. */
export const plain = ({ accounts = [], data, programAddress }: Instruction) => ({
  program: String(programAddress),
  data: Buffer.from(data ?? []).toString("hex"),
  accounts: accounts.map(({ address, role }) => [
    String(address),
    role >= AccountRole.READONLY_SIGNER,
    role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
  ]),
})

export const plainLegacy = (instruction: {
  readonly programId: { toBase58(): string }
  readonly data: Uint8Array
  readonly keys: ReadonlyArray<{
    readonly pubkey: { toBase58(): string }
    readonly isSigner: boolean
    readonly isWritable: boolean
  }>
}) => ({
  program: instruction.programId.toBase58(),
  data: Buffer.from(instruction.data).toString("hex"),
  accounts: instruction.keys.map(({ isSigner, isWritable, pubkey }) => [pubkey.toBase58(), isSigner, isWritable]),
})
