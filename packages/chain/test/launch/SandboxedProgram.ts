import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  type Instruction,
  type Lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit"
import { ComputeBudget, LiteSVM } from "litesvm"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { tokenAccountData } from "../../src/localnet/TokenAccounts.ts"

const LAMPORTS = 10n ** 15n

/** An address of 32 equal bytes. */
export const named = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte))

/** Programs on LiteSVM, with accounts in any state; nothing has to be signed. */
export class SandboxedProgram {
  readonly #svm = new LiteSVM().withNativeMints().withBlockhashCheck(false).withSigverify(false)

  /** With so many compute units for a transaction, or as many as a cluster gives at most. */
  constructor(programs: Readonly<Record<string, string>>, units?: number) {
    const budget = new ComputeBudget()
    if (units !== undefined) budget.computeUnitLimit = BigInt(units)
    this.#svm.withComputeBudget(budget)
    for (const [program, file] of Object.entries(programs)) this.#svm.addProgramFromFile(program as Address, file)
  }

  put(address: string, owner: string, data: Uint8Array, lamports = LAMPORTS): void {
    this.#svm.setAccount({
      ...{ address: address as Address, programAddress: owner as Address, data, executable: false },
      ...{ lamports: lamports as Lamports, space: BigInt(data.length) },
    })
  }

  /** A token account. */
  hold(address: string, mint: string, owner: string, amount: bigint, rentLamports = 0n): void {
    const data = tokenAccountData({ mint, owner, amount, program: TOKEN_PROGRAM, rentLamports })
    this.put(address, TOKEN_PROGRAM, data, amount + (rentLamports || LAMPORTS))
  }

  /** Unix time in seconds. */
  setTime(seconds: bigint): void {
    const clock = this.#svm.getClock()
    clock.unixTimestamp = seconds
    this.#svm.setClock(clock)
  }

  /** Whether the transaction succeeded. */
  send(payer: string, instruction: Instruction): boolean {
    this.#svm.expireBlockhash()
    const lifetime = { blockhash: this.#svm.latestBlockhash() as Blockhash, lastValidBlockHeight: 2n ** 60n }
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(payer as Address, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (live) => appendTransactionMessageInstruction(instruction, live),
    )
    return !("err" in this.#svm.sendTransaction(compileTransaction(message)))
  }

  data(address: string): Uint8Array {
    const account = this.#svm.getAccount(address as Address)
    if (!account.exists) throw new Error(`there is no account ${address}`)
    return Uint8Array.from(account.data)
  }

  /** A number in an account; by default what a token account holds. */
  u64(address: string, at = 64): bigint {
    return new AccountReader(this.data(address)).u64(at)
  }
}
