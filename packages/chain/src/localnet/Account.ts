/** An account of the local chain. */
export interface Account {
  readonly address: string
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
  readonly executable: boolean
}

/** An account as it is written to a file; one without lamports is gone. */
export interface StoredAccount extends Omit<Account, "lamports" | "data"> {
  readonly lamports: string
  /** Base64. */
  readonly data: string
}

/** An address without an account, as accounts are notified and written. */
export const goneAccount = (address: string): Account => ({
  address,
  owner: "11111111111111111111111111111111",
  lamports: 0n,
  data: new Uint8Array(),
  executable: false,
})

export const storedAccount = ({ data, lamports, ...account }: Account): StoredAccount => ({
  ...account,
  lamports: String(lamports),
  data: Buffer.from(data).toString("base64"),
})

export const accountOf = ({ data, lamports, ...account }: StoredAccount): Account => ({
  ...account,
  lamports: BigInt(lamports),
  data: Uint8Array.from(Buffer.from(data, "base64")),
})
