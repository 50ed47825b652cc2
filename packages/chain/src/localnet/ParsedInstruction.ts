import {
  type AccountMeta,
  AccountRole,
  type Address,
  type Instruction,
  type InstructionWithAccounts,
  type InstructionWithData,
  type ReadonlyUint8Array,
} from "@solana/kit"
import { parseSystemInstruction, SystemInstruction } from "@solana-program/system"
import {
  AssociatedTokenInstruction,
  AuthorityType,
  parseAssociatedTokenInstruction,
  parseTokenInstruction,
  TokenInstruction,
} from "@solana-program/token"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../accounts/Programs.ts"
import { uiAmount } from "./UiAmount.ts"

type Parsable = Instruction &
  InstructionWithData<ReadonlyUint8Array> &
  InstructionWithAccounts<ReadonlyArray<AccountMeta>>

interface Parsed {
  readonly instructionType: number
  readonly accounts?: Readonly<Record<string, { readonly address: string } | undefined>>
  readonly data?: object
}

/** Names of nodes where they differ from those of the programs' clients. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [SYSTEM_PROGRAM]: { amount: "lamports", payer: "source", programAddress: "owner", baseAccount: "base" },
  [TOKEN_PROGRAM]: { token: "account", rent: "rentSysvar" },
  [ASSOCIATED_TOKEN_PROGRAM]: { payer: "source", ata: "account", owner: "wallet" },
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
const isPresent = (value: unknown): boolean => value !== null && value !== undefined

/** Values of clients as JSON-RPC writes them. */
const plain = (value: unknown, bigints: "numbers" | "strings"): unknown => {
  if (typeof value === "bigint") return bigints === "numbers" ? Number(value) : String(value)
  if (typeof value !== "object" || value === null || !("__option" in value)) return value
  return "value" in value ? value.value : null
}

const infoOf = ({ accounts = {}, data = {} }: Parsed, program: string, bigints: "numbers" | "strings") => {
  const names = RENAMED[program] ?? {}
  const addresses = Object.entries(accounts).map(([name, account]) => [name, account?.address] as const)
  const values = Object.entries(data).map(([name, value]) => [name, plain(value, bigints)] as const)
  return Object.fromEntries(
    [...addresses, ...values]
      .filter(([name, value]) => !/discriminator$/i.test(name) && isPresent(value))
      .map(([name, value]) => [names[name] ?? name, value]),
  )
}

const systemParsed = (instruction: Parsable) => {
  const parsed = parseSystemInstruction(instruction)
  const name = SystemInstruction[parsed.instructionType]!.replace("Sol", "")
    .replace("NonceAccount", "Nonce")
    .replace("WithdrawNonce", "WithdrawFromNonce")
  return { type: lowerFirst(name), info: infoOf(parsed, SYSTEM_PROGRAM, "numbers") }
}

const tokenParsed = (instruction: Parsable) => {
  const parsed = parseTokenInstruction({ ...instruction, programAddress: TOKEN_PROGRAM })
  const type = lowerFirst(TokenInstruction[parsed.instructionType]!)
  const all = infoOf(parsed, TOKEN_PROGRAM, "strings")
  if (parsed.instructionType === TokenInstruction.SetAuthority) {
    const { authorityType, owned, owner, ...info } = all
    const isMints = authorityType === AuthorityType.MintTokens || authorityType === AuthorityType.FreezeAccount
    const named = lowerFirst(AuthorityType[authorityType as AuthorityType]!)
    return {
      type,
      info: {
        [isMints ? "mint" : "account"]: owned,
        authority: owner,
        authorityType: named,
        newAuthority: null,
        ...info,
      },
    }
  }
  const { amount, decimals, ...info } = all
  if (!isPresent(amount) || !isPresent(decimals)) return { type, info: all }
  return { type, info: { ...info, tokenAmount: uiAmount(BigInt(amount as string), decimals as number) } }
}

const associatedTokenParsed = (instruction: Parsable) => {
  const parsed = parseAssociatedTokenInstruction(instruction)
  const name = AssociatedTokenInstruction[parsed.instructionType]!.replace("AssociatedToken", "")
  return { type: lowerFirst(name), info: infoOf(parsed, ASSOCIATED_TOKEN_PROGRAM, "strings") }
}

const PARSERS: Readonly<Record<string, readonly [program: string, parse: (instruction: Parsable) => unknown]>> = {
  [SYSTEM_PROGRAM]: ["system", systemParsed],
  [TOKEN_PROGRAM]: ["spl-token", tokenParsed],
  [TOKEN_2022_PROGRAM]: ["spl-token", tokenParsed],
  [ASSOCIATED_TOKEN_PROGRAM]: ["spl-associated-token-account", associatedTokenParsed],
  [MEMO_PROGRAM]: ["spl-memo", ({ data }) => new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(data))],
}

/**
 * An instruction as `jsonParsed` has it: with the names of its accounts and values where its program is one of the
 * common ones (system, tokens, associated token accounts, memo), else with accounts and data.
 */
export const parsedInstruction = (instruction: {
  readonly programId: string
  readonly accounts: ReadonlyArray<string>
  readonly data: ReadonlyUint8Array
  readonly stackHeight: number
}) => {
  const { accounts, data, programId, stackHeight } = instruction
  const [program, parse] = PARSERS[programId] ?? []
  try {
    if (parse !== undefined) {
      const metas = accounts.map((address) => ({ address: address as Address, role: AccountRole.READONLY }))
      const parsed = parse({ programAddress: programId as Address, accounts: metas, data })
      return { program, programId, parsed, stackHeight }
    }
  } catch {
    // What its program's client cannot read is answered as it is.
  }
  return { programId, accounts, data: encodeBase58(Uint8Array.from(data)), stackHeight }
}
