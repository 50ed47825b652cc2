import {
  AccountRole,
  addEncoderSizePrefix,
  type Address,
  getU32Encoder,
  getU64Encoder,
  getUtf8Encoder,
} from "@solana/kit"

const account = (role: AccountRole) => (address: string) => ({ address: address as Address, role })

export const readonly = account(AccountRole.READONLY)
export const writable = account(AccountRole.WRITABLE)
export const signer = account(AccountRole.READONLY_SIGNER)
export const writableSigner = account(AccountRole.WRITABLE_SIGNER)

/** An optional account that is left out is written as the program itself. */
export const writableOr = (program: string, address: string | undefined) =>
  address === undefined ? readonly(program) : writable(address)

/** Data of an instruction of an Anchor program: its discriminator (hex), and its arguments as Borsh writes them. */
export const instructionData = (
  discriminator: string,
  ...parts: ReadonlyArray<ArrayLike<number>>
): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...Buffer.from(discriminator, "hex"), ...parts.flatMap((part) => Array.from(part))])

export const borshU64 = getU64Encoder().encode
const text = addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder())
export const borshText = text.encode

/** `swap` of DBC, DAMM v2 and DAMM v1: least amount out behind the amount in. */
export const swapData = (amountIn: bigint, minimumAmountOut: bigint) =>
  instructionData("f8c69e91e17587c8", borshU64(amountIn), borshU64(minimumAmountOut))
