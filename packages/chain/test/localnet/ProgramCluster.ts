import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { LiteSVM } from "litesvm"
import { MEMO_PROGRAM } from "../../src/accounts/Programs.ts"
import { jsonServer } from "../JsonServer.ts"

export const LOADER = "BPFLoader2111111111111111111111111111111111"
export const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111"

/** An ELF file that can be executed: that of the memo program, which LiteSVM has. */
export const executable = (): Uint8Array => {
  const account = new LiteSVM().getAccount(MEMO_PROGRAM)
  if (!account.exists || account.programAddress !== LOADER) throw new Error("expected the ELF file in the account")
  return account.data
}

export interface ProgramAccount {
  readonly owner: string
  readonly data: Buffer
}
/** Accounts by address. */
export type ProgramAccounts = Readonly<Record<string, ProgramAccount | undefined>>

/** An upgradeable program with its ELF file: the program's account, and the one with its data. */
export const upgradeable = (program: string, elf: Uint8Array): ProgramAccounts => {
  const address = decodeBase58(program)!.toReversed()
  const tag = (value: number) => Buffer.from([value, 0, 0, 0])
  return {
    [program]: { owner: UPGRADEABLE_LOADER, data: Buffer.concat([tag(2), address]) },
    [encodeBase58(address)]: {
      owner: UPGRADEABLE_LOADER,
      data: Buffer.concat([tag(3), Buffer.alloc(41, 7), elf]),
    },
  }
}

interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params: readonly [address: string, options: object]
}

/** A cluster that holds these accounts and nothing else; `asked` has the addresses that it was asked for. Answers once `open` has settled. */
export const programCluster = (accounts: ProgramAccounts, open: Promise<void> = Promise.resolve()) => {
  const asked: Array<string> = []
  return Effect.map(
    jsonServer<Asked>(({ id, method, params: [address, options] }, response) => {
      asked.push(address)
      const account = accounts[address]
      const value = account && {
        ...{ lamports: 1, executable: true, rentEpoch: 0, space: account.data.length, owner: account.owner },
        data: [account.data.toString("base64"), "base64"],
      }
      const isKnown = method === "getAccountInfo" && JSON.stringify(options).includes('"encoding":"base64"')
      const answer = isKnown
        ? { result: { context: { slot: 1 }, value: value ?? null } }
        : { error: { code: -32602, message: "Invalid params" } }
      void open.then(() => response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer })))
    }),
    (url) => ({ url: `${url}/?api-key=CANARY`, asked }),
  )
}
