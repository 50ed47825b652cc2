import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"

/** Anybody but the wallet. */
export const STRANGER = "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e"

/** What is at the address of a wallet's token account: lamports of nobody, what a program has there, or a token account. */
export type AccountState =
  | { readonly kind: "lamports"; readonly lamports: bigint }
  | { readonly kind: "other"; readonly owner: string; readonly bytes: number }
  | {
      readonly kind: "tokens"
      readonly amount: bigint
      readonly owner?: string
      readonly mint?: string
      readonly program?: string
      readonly state?: 0 | 1 | 2
      readonly isNative?: boolean
      /** `self` is the wallet. */
      readonly closeAuthority?: "self" | typeof STRANGER
      readonly delegate?: boolean
      /** Of Token-2022: type and data. */
      readonly extensions?: ReadonlyArray<readonly [type: number, data: Uint8Array]>
    }

const key = (address: string) => decodeBase58(address)!

const IMMUTABLE_OWNER = 7

/** Memo wanted, CPI guard, confidential transfers alone: what the owner of an account of Token-2022 can switch on. */
export const EXTENSIONS = {
  memo: [8, Uint8Array.of(1)],
  noMemo: [8, Uint8Array.of(0)],
  cpiGuard: [11, Uint8Array.of(1)],
  noCpiGuard: [11, Uint8Array.of(0)],
} as const

/** The account in a state, for a wallet and a mint. */
export const accountIn = (
  state: AccountState,
  {
    address,
    mint,
    program,
    rentOf,
    wallet,
  }: {
    readonly address: string
    readonly mint: string
    readonly program: string
    readonly wallet: string
    readonly rentOf: (bytes: number) => bigint
  },
) => {
  if (state.kind === "lamports")
    return { address, owner: SYSTEM_PROGRAM as string, lamports: state.lamports, data: new Uint8Array() }
  if (state.kind === "other")
    return { address, owner: state.owner, lamports: rentOf(state.bytes), data: new Uint8Array(state.bytes) }
  const owner = state.program ?? program
  const extensions =
    owner === TOKEN_2022_PROGRAM ? [[IMMUTABLE_OWNER, new Uint8Array()] as const, ...(state.extensions ?? [])] : []
  const tail = extensions.flatMap(([type, data]) => [
    type & 255,
    type >> 8,
    data.length & 255,
    data.length >> 8,
    ...data,
  ])
  const data = Buffer.alloc(165 + (tail.length === 0 ? 0 : 1 + tail.length))
  const rent = rentOf(data.length)
  const isNative = state.isNative ?? (mint === NATIVE_MINT && owner === TOKEN_PROGRAM)
  data.set(key(state.mint ?? mint), 0)
  data.set(key(state.owner ?? wallet), 32)
  data.writeBigUInt64LE(state.amount, 64)
  if (state.delegate === true) {
    data.writeUInt32LE(1, 72)
    data.set(key(STRANGER), 76)
    data.writeBigUInt64LE(1n, 121)
  }
  data[108] = state.state ?? 1
  if (isNative) {
    data.writeUInt32LE(1, 109)
    data.writeBigUInt64LE(rent, 113)
  }
  if (state.closeAuthority !== undefined) {
    data.writeUInt32LE(1, 129)
    data.set(key(state.closeAuthority === "self" ? wallet : state.closeAuthority), 133)
  }
  if (tail.length > 0) data.set([2, ...tail], 165)
  return { address, owner, lamports: rent + (isNative ? state.amount : 0n), data: Uint8Array.from(data) }
}
