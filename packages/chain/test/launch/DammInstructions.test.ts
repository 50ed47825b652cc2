import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountRole, type Instruction } from "@solana/kit"
import { dammSwapInstruction } from "../../src/dammV2/DammInstructions.ts"
import { decodeDammPool } from "../../src/dammV2/DammPoolAccount.ts"
import { DAMM_V2_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { big, client, decodedPool, web3 } from "./DammSdk.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { generatedDammPool } from "./GeneratedDammPools.ts"

const SWAPS = 200
const OWNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const MINTS = {
  a: "2Fiik5PmHBGE9AU7b3UA9FhVLtQaQaYxsLLzBdjmK9w1",
  b: "So11111111111111111111111111111111111111112",
}

const plain = ({ accounts = [], data }: Instruction) => ({
  data: Buffer.from(data ?? []).toString("hex"),
  accounts: accounts.map(({ address, role }) => [
    String(address),
    role >= AccountRole.READONLY_SIGNER,
    role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
  ]),
})

describe("The swap instruction of DAMM v2", () => {
  it("equals the SDK's byte for byte; with a rate limiter it always names the sysvar", async () => {
    const random = seeded(7)
    const address = () => encodeBase58(Uint8Array.from({ length: 32 }, () => random.int(0, 255)))
    let limited = 0
    for (let round = 0; round < SWAPS; round++) {
      const { amountIn, baseFeeMode, bytes } = generatedDammPool(random, MINTS)
      const [pool, referral] = [address(), random.maybe(address)]
      const tokenBaseProgram = random.pick([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
      const minimumAmountOut = BigInt(random.int(0, 2_147_483_647))
      const decoded = decodedPool(bytes)
      const [inputTokenAccount, outputTokenAccount] = [address(), address()]
      const theirs = await client._program.methods
        .swap({ amountIn: big(amountIn), minimumAmountOut: big(minimumAmountOut) })
        .accountsPartial({
          ...{ pool, inputTokenAccount, outputTokenAccount, payer: OWNER, referralTokenAccount: referral ?? null },
          ...{ tokenAVault: decoded.tokenAVault, tokenBVault: decoded.tokenBVault },
          ...{ tokenAMint: decoded.tokenAMint, tokenBMint: decoded.tokenBMint },
          ...{ tokenAProgram: tokenBaseProgram, tokenBProgram: TOKEN_PROGRAM },
        })
        .remainingAccounts(
          baseFeeMode === 2 ? [{ pubkey: web3.SYSVAR_INSTRUCTIONS_PUBKEY, isSigner: false, isWritable: false }] : [],
        )
        .instruction()
      const pair = {
        base: { mint: MINTS.a, program: tokenBaseProgram, decimals: 6 },
        quote: { mint: MINTS.b, program: TOKEN_PROGRAM, decimals: 9 },
      }
      const ours = dammSwapInstruction(
        { address: pool, pair, pool: decodeDammPool(bytes)! },
        {
          ...{ inputTokenAccount, outputTokenAccount, payer: OWNER, referralTokenAccount: referral },
          ...{ swapBaseForQuote: false, amountIn, minimumAmountOut },
        },
      )
      assert.strictEqual(String(ours.programAddress), DAMM_V2_PROGRAM)
      assert.strictEqual(theirs.programId.toBase58(), DAMM_V2_PROGRAM)
      assert.deepStrictEqual(plain(ours), {
        data: Buffer.from(theirs.data).toString("hex"),
        accounts: theirs.keys.map(({ isSigner, isWritable, pubkey }) => [pubkey.toBase58(), isSigner, isWritable]),
      })
      if (baseFeeMode === 2) limited++
    }
    assert.isAbove(limited, 0)
  })
})
