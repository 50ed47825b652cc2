import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { AccountRole, type Instruction } from "@solana/kit"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import {
  poolAddress,
  poolMetadataAddress,
  tokenMetadataAddress,
  vaultAddress,
} from "../../src/accounts/DerivedAddresses.ts"
import { initializePoolInstruction, poolMetadataInstruction } from "../../src/dbc/DbcInstructions.ts"
import { DBC_PROGRAM, NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { mintData } from "../../src/localnet/TokenAccounts.ts"
import { swapInstructions } from "../../src/swaps/SwapInstructions.ts"
import { curveOf } from "./CurveOf.ts"

const require = createRequire(import.meta.url)
const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")
const web3 = createRequire(require.resolve("@meteora-ag/dynamic-bonding-curve-sdk"))("@solana/web3.js")
const { default: BN } = await import("bn.js")

const OWNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const REFERRAL = "8fo2FnWj4GEx1XWRjHWkVvLg9JSXWf7UqVvmFqKzVYxd"

const bytesOf = (data: string) => Uint8Array.from(Buffer.from(data, "base64"))

/** A connection of web3.js v1 that has the captured accounts and nothing else. */
const capturedConnection = () => {
  const accounts = new Map(
    launches.flatMap(({ config, pools }) => [config, pools.mid]).map((account) => [account.address, account]),
  )
  const solMint = Buffer.from(mintData(0n, 9)).toString("base64")
  accounts.set(NATIVE_MINT, { address: NATIVE_MINT, owner: TOKEN_PROGRAM, lamports: 1, data: solMint })
  return Object.assign(new web3.Connection("http://127.0.0.1:9", "confirmed"), {
    getAccountInfo: async (key: { toBase58(): string }) => {
      const account = accounts.get(key.toBase58())
      return account === undefined
        ? null
        : {
            data: Buffer.from(account.data, "base64"),
            owner: new web3.PublicKey(account.owner),
            lamports: account.lamports,
            executable: false,
          }
    },
    getAccountInfoAndContext: async function (key: never) {
      return { context: { slot: 1 }, value: await this.getAccountInfo(key) }
    },
  })
}

/** An instruction in a form in which ours and the SDK's are comparable. */
const plain = ({ accounts = [], data, programAddress }: Instruction) => ({
  program: String(programAddress),
  data: Buffer.from(data ?? []).toString("hex"),
  accounts: accounts.map(({ address, role }) => [
    String(address),
    role >= AccountRole.READONLY_SIGNER,
    role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
  ]),
})

interface LegacyMeta {
  readonly pubkey: { toBase58(): string }
  readonly isSigner: boolean
  readonly isWritable: boolean
}

const plainLegacy = (instruction: {
  readonly programId: { toBase58(): string }
  readonly data: Uint8Array
  readonly keys: ReadonlyArray<LegacyMeta>
}) => ({
  program: instruction.programId.toBase58(),
  data: Buffer.from(instruction.data).toString("hex"),
  accounts: instruction.keys.map(({ isSigner, isWritable, pubkey }) => [pubkey.toBase58(), isSigner, isWritable]),
})

describe.each(launches)("Instructions for the captured $launch launch equal the SDK's", (launch) => {
  const client = new sdk.DynamicBondingCurveClient(capturedConnection(), "confirmed")

  it.each([
    [false, undefined],
    [true, undefined],
    [false, REFERRAL],
    [true, REFERRAL],
  ])("for a swap (base for quote: %s, referral: %s)", async (swapBaseForQuote, referralTokenAccount) => {
    const amountIn = 1_234_567_890n
    const { data, address } = launch.pools.mid
    const curve = curveOf(address, bytesOf(data), bytesOf(launch.config.data), BigInt(launch.blockTime + 100))
    const swap = {
      baseMint: launch.baseMint,
      signer: OWNER,
      amountIn,
      slippageBps: 100,
      swapBaseForQuote,
      ...(referralTokenAccount === undefined ? {} : { referralTokenAccount }),
    }
    const ours = await swapInstructions(curve, swap, 42n)
    const theirs = await client.pool.swap({
      owner: new web3.PublicKey(OWNER),
      pool: new web3.PublicKey(launch.pools.mid.address),
      amountIn: new BN(String(amountIn)),
      minimumAmountOut: new BN(42),
      swapBaseForQuote,
      referralTokenAccount: referralTokenAccount === undefined ? null : new web3.PublicKey(referralTokenAccount),
    })
    const swapOf = <A extends { readonly program: string }>(all: ReadonlyArray<A>) =>
      all.find(({ program }) => program === DBC_PROGRAM)
    assert.deepStrictEqual(swapOf(ours.map(plain)), swapOf(theirs.instructions.map(plainLegacy)))
    assert.deepStrictEqual(
      ours.map(plain).map(({ program }) => program),
      theirs.instructions.map(plainLegacy).map(({ program }) => program),
    )
  })

  it("for the metadata of a pool", async () => {
    const texts = { name: "Näme", website: "https://example.com", logo: "" }
    const pool = launch.pools.mid.address
    const metadata = await poolMetadataAddress(pool)
    const theirs = await client.creator.createPoolMetadata({
      ...texts,
      virtualPool: new web3.PublicKey(pool),
      creator: new web3.PublicKey(OWNER),
      payer: new web3.PublicKey(OWNER),
    } as never)
    const ours = poolMetadataInstruction({ pool, metadata, creator: OWNER, payer: OWNER }, texts)
    const expected = plainLegacy(theirs.instructions[0] as never)
    // Programs before 0.2 want the pool writable.
    const accounts = expected.accounts.map((account, index) => (index === 0 ? [pool, false, true] : account))
    assert.deepStrictEqual(plain(ours), { ...expected, accounts })
  })

  it("for the creation of a pool", async () => {
    const { quoteMint, tokenType } = decodeConfig(bytesOf(launch.config.data))!
    const baseMint = "9bepWVXhoGGEhCYbiYKrs6be9K2yg6uXf9bU61yPhau9"
    const label = { name: "Näme", symbol: "SYM", uri: "https://example.com/x.json" }
    const pool = await poolAddress(launch.config.address, baseMint, quoteMint)
    const ours = initializePoolInstruction(
      {
        config: launch.config.address,
        creator: OWNER,
        payer: OWNER,
        baseMint,
        quoteMint,
        pool,
        baseVault: await vaultAddress(baseMint, pool),
        quoteVault: await vaultAddress(quoteMint, pool),
        quoteTokenProgram: TOKEN_PROGRAM,
        ...(tokenType === 0 ? { mintMetadata: await tokenMetadataAddress(baseMint) } : {}),
      },
      label,
    )
    const theirs = await client.creator.createPool({
      ...label,
      payer: new web3.PublicKey(OWNER),
      poolCreator: new web3.PublicKey(OWNER),
      config: new web3.PublicKey(launch.config.address),
      baseMint: new web3.PublicKey(baseMint),
    } as never)
    const created = (
      theirs as { readonly instructions: ReadonlyArray<Parameters<typeof plainLegacy>[0]> }
    ).instructions.map(plainLegacy)
    assert.deepStrictEqual(
      plain(ours),
      created.find(({ program }) => program === DBC_PROGRAM),
    )
  })
})
