import { encodeBase58 } from "@launch-registry/solana/Base58"
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  type Lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit"
import { LiteSVM } from "litesvm"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import type { ClaimableFee } from "../../src/claims/ClaimableFees.ts"
import { claimInstruction } from "../../src/claims/ClaimInstructions.ts"
import type { CurveSnapshot } from "../../src/dbc/CurveSnapshot.ts"
import { DBC_POOL_AUTHORITY, DBC_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { mintData, tokenAccountData } from "../../src/localnet/TokenAccounts.ts"

const named = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte))
const [BASE_ACCOUNT, QUOTE_ACCOUNT] = [named(31), named(32)]
const LAMPORTS = 10n ** 12n
/** In each vault. */
const HELD = 2n ** 60n

/** Claims from a pool in any state, of SPL tokens; what the owner got, or `undefined` where the program refused. */
export const claimedOf = (programFile: string, curve: CurveSnapshot, fee: ClaimableFee) => {
  const svm = new LiteSVM().withBlockhashCheck(false).withSigverify(false)
  svm.addProgramFromFile(DBC_PROGRAM, programFile)
  const put = (address: string, owner: string, data: Uint8Array) =>
    svm.setAccount({
      ...{ address: address as Address, programAddress: owner as Address, data, executable: false },
      ...{ lamports: LAMPORTS as Lamports, space: BigInt(data.length) },
    })
  const { config, pool } = curve
  const hold = (address: string, mint: string, owner: string, amount: bigint) =>
    put(address, TOKEN_PROGRAM, tokenAccountData({ mint, owner, amount, program: TOKEN_PROGRAM, rentLamports: 0n }))
  const wallet = fee.owner!
  put(wallet, SYSTEM_PROGRAM, new Uint8Array())
  put(curve.address, DBC_PROGRAM, curve.poolBytes)
  put(pool.config, DBC_PROGRAM, curve.configBytes)
  for (const mint of [pool.baseMint, config.quoteMint]) put(mint, TOKEN_PROGRAM, mintData(4n * HELD - 1n, 6))
  hold(pool.baseVault, pool.baseMint, DBC_POOL_AUTHORITY, HELD)
  hold(pool.quoteVault, config.quoteMint, DBC_POOL_AUTHORITY, HELD)
  hold(BASE_ACCOUNT, pool.baseMint, wallet, 0n)
  hold(QUOTE_ACCOUNT, config.quoteMint, wallet, 0n)
  const to = { wallet, baseAccount: BASE_ACCOUNT, quoteAccount: QUOTE_ACCOUNT }
  const lifetime = { blockhash: svm.latestBlockhash() as Blockhash, lastValidBlockHeight: 2n ** 60n }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(wallet as Address, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (live) => appendTransactionMessageInstruction(claimInstruction(curve, fee, to), live),
  )
  if ("err" in svm.sendTransaction(compileTransaction(message))) return undefined
  const data = (address: string): Uint8Array => {
    const account = svm.getAccount(address as Address)
    if (!account.exists) throw new Error(`there is no account ${address}`)
    return Uint8Array.from(account.data)
  }
  const amount = (address: string) => new AccountReader(data(address)).u64(64)
  return { base: amount(BASE_ACCOUNT), quote: amount(QUOTE_ACCOUNT), poolBytes: data(curve.address) }
}
