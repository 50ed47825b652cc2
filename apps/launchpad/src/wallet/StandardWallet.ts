import { transactionVersionOf, walletStandardSign } from "@launch-registry/client"
import type { Wallet as Standard, WalletAccount } from "@wallet-standard/base"
import { NETWORK } from "../registry/Connection.ts"
import type { Wallet } from "./Wallet.ts"

const CHAIN = `solana:${NETWORK}` as const

interface Features {
  readonly "standard:connect": {
    readonly connect: (input: {
      readonly silent?: boolean
    }) => Promise<{ readonly accounts: ReadonlyArray<WalletAccount> }>
  }
  readonly "standard:disconnect"?: { readonly disconnect: () => Promise<void> }
  readonly "standard:events"?: {
    readonly on: (
      event: "change",
      listener: (changed: { readonly accounts?: ReadonlyArray<WalletAccount> }) => void,
    ) => () => void
  }
  readonly "solana:signMessage"?: {
    readonly signMessage: (input: {
      readonly account: WalletAccount
      readonly message: Uint8Array
    }) => Promise<ReadonlyArray<{ readonly signature: Uint8Array }>>
  }
}

const featuresOf = (wallet: Standard) => wallet.features as unknown as Features

/** Whether it can be connected and sign transactions of Solana. */
export const isOfSolana = ({ chains, features }: Standard): boolean =>
  chains.some((chain) => chain.startsWith("solana:")) &&
  "standard:connect" in features &&
  "solana:signTransaction" in features

/** On a local chain the wallet signs what it is given; few name that chain. */
const chosen = (accounts: ReadonlyArray<WalletAccount>): WalletAccount | undefined =>
  accounts.find(({ chains }) => chains.includes(CHAIN)) ?? accounts[0]

const walletOf = (standard: Standard, account: WalletAccount): Wallet => {
  const signing = featuresOf(standard)["solana:signMessage"]
  const signer = standard as unknown as Parameters<typeof walletStandardSign<WalletAccount>>[0]
  return {
    ...{ name: standard.name, address: account.address },
    transactionVersion: transactionVersionOf(standard as unknown as Parameters<typeof transactionVersionOf>[0]),
    sign: walletStandardSign(signer, account, account.chains.includes(CHAIN) ? CHAIN : undefined),
    ...(signing !== undefined && {
      signMessage: async (message: Uint8Array) => {
        const [output] = await signing.signMessage({ account, message })
        return output!.signature
      },
    }),
  }
}

/** Asks the user for an account; `isSilent` asks nothing, and fails where none was granted before. */
export const connectStandard = async (standard: Standard, isSilent: boolean): Promise<Wallet> => {
  const { accounts } = await featuresOf(standard)["standard:connect"].connect(isSilent ? { silent: true } : {})
  const account = chosen(accounts)
  if (account === undefined) throw new Error(`${standard.name} gave no account`)
  return walletOf(standard, account)
}

export const disconnectStandard = (standard: Standard): void => {
  const disconnecting = featuresOf(standard)["standard:disconnect"]?.disconnect()
  disconnecting?.catch(() => {})
}

/** Tells which account is given to this page instead of the one at `address`, once it is another. Returns how to stop. */
export const followAccount = (
  standard: Standard,
  address: string,
  onOther: (wallet: Wallet | undefined) => void,
): (() => void) =>
  featuresOf(standard)["standard:events"]?.on("change", ({ accounts }) => {
    if (accounts === undefined || accounts.some((account) => account.address === address)) return
    const account = chosen(accounts)
    onOther(account === undefined ? undefined : walletOf(standard, account))
  }) ?? (() => {})
