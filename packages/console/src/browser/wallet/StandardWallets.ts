import { walletStandardSign } from "@launch-registry/client"
import { NETWORK } from "../Page.ts"
import type { Wallet } from "./Wallet.ts"

/** Wallet Standard: https://github.com/wallet-standard/wallet-standard. */

export interface StandardAccount {
  readonly address: string
  readonly chains: ReadonlyArray<string>
}

export interface StandardWallet {
  readonly name: string
  /** A data URL. */
  readonly icon: string
  readonly chains: ReadonlyArray<string>
  readonly accounts: ReadonlyArray<StandardAccount>
  readonly features: Readonly<Record<string, unknown>> & {
    readonly "standard:connect"?: {
      readonly connect: (input?: {
        readonly silent?: boolean
      }) => Promise<{ readonly accounts: ReadonlyArray<StandardAccount> }>
    }
    readonly "standard:events"?: {
      readonly on: (
        event: "change",
        listener: (changed: { readonly accounts?: ReadonlyArray<StandardAccount> }) => void,
      ) => () => void
    }
    readonly "standard:disconnect"?: { readonly disconnect: () => Promise<void> }
    readonly "solana:signMessage"?: {
      readonly signMessage: (input: {
        readonly account: StandardAccount
        readonly message: Uint8Array
      }) => Promise<ReadonlyArray<{ readonly signature: Uint8Array }>>
    }
  }
}

type Chain = `solana:${string}`
const CHAIN: Chain = `solana:${NETWORK}`

const known: Array<StandardWallet> = []
let onKnown = (): void => {}

/** Those that can sign transactions, in the order in which they said that they are there. */
export const standardWallets = (): ReadonlyArray<StandardWallet> => known

const isOfSolana = ({ chains, features }: StandardWallet): boolean =>
  chains.some((chain) => chain.startsWith("solana:")) &&
  "standard:connect" in features &&
  "solana:signTransaction" in features

const register = (...wallets: ReadonlyArray<StandardWallet>): (() => void) => {
  for (const wallet of wallets) if (isOfSolana(wallet) && !known.includes(wallet)) known.push(wallet)
  onKnown()
  return () => {
    for (const wallet of wallets) if (known.includes(wallet)) known.splice(known.indexOf(wallet), 1)
    onKnown()
  }
}

/** Extensions that are there already answer at once; later ones when they have loaded. */
export const findStandardWallets = (onChange: () => void): void => {
  onKnown = onChange
  addEventListener("wallet-standard:register-wallet", (event) => {
    const { detail } = event as CustomEvent<(api: { readonly register: typeof register }) => void>
    detail({ register })
  })
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }))
}

/** On a local chain the wallet signs what it is given; few name that chain. */
const chosen = (accounts: ReadonlyArray<StandardAccount>): StandardAccount | undefined =>
  accounts.find(({ chains }) => chains.includes(CHAIN)) ?? accounts[0]

const walletOf = (wallet: StandardWallet, account: StandardAccount): Wallet => {
  const chain = account.chains.includes(CHAIN) ? CHAIN : undefined
  const signing = wallet.features["solana:signMessage"]
  return {
    ...{ name: wallet.name, address: account.address, isTest: false },
    sign: walletStandardSign(wallet as Parameters<typeof walletStandardSign>[0], account, chain),
    ...(signing !== undefined && {
      signMessage: async (message: Uint8Array) => {
        const [output] = await signing.signMessage({ account, message })
        return output!.signature
      },
    }),
  }
}

/** Asks the user for an account; `isSilent` asks nothing, and fails where none was granted before. */
export const connectStandard = async (wallet: StandardWallet, isSilent: boolean): Promise<Wallet> => {
  const connect = wallet.features["standard:connect"]!.connect
  const { accounts } = await connect(isSilent ? { silent: true } : {})
  const account = chosen(accounts)
  if (account === undefined) throw new Error(`${wallet.name} gave no account`)
  return walletOf(wallet, account)
}

/**
 * Tells when the account at `address` is no longer given to this page, and the one that is instead: users switch accounts in the wallet.
 * Returns how to stop.
 */
export const followAccount = (
  wallet: StandardWallet,
  address: string,
  onOther: (wallet: Wallet | undefined) => void,
): (() => void) => {
  const events = wallet.features["standard:events"]
  if (events === undefined) return () => {}
  return events.on("change", ({ accounts }) => {
    if (accounts === undefined || accounts.some((account) => account.address === address)) return
    const account = chosen(accounts)
    onOther(account === undefined ? undefined : walletOf(wallet, account))
  })
}
