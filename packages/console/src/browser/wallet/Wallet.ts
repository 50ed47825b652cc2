import type { Sign } from "@launch-registry/client"
import { useEffect, useState } from "preact/hooks"
import { FAUCET } from "../Page.ts"
import {
  connectStandard,
  findStandardWallets,
  followAccount,
  type StandardWallet,
  standardWallets,
} from "./StandardWallets.ts"
import { TEST_WALLET, testWallet } from "./TestWallet.ts"

/** A connected account. */
export interface Wallet {
  /** That of the extension. */
  readonly name: string
  /** Base58. */
  readonly address: string
  /** Whether it is the one of this browser for local chains. */
  readonly isTest: boolean
  readonly sign: Sign
  /** Where the wallet can: the signature over the bytes. */
  readonly signMessage?: (message: Uint8Array) => Promise<Uint8Array>
}

/** Name of the wallet that is connected again when the page is opened. */
const REMEMBERED = "wallet"

let current: Wallet | undefined
const listeners = new Set<() => void>()
const changed = (): void => {
  for (const listener of listeners) listener()
}

const remember = (name: string | undefined): void => {
  try {
    if (name === undefined) localStorage.removeItem(REMEMBERED)
    else localStorage.setItem(REMEMBERED, name)
  } catch {
    // Storage is off: the user connects again.
  }
}

const remembered = (): string | null => {
  try {
    return localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

/** The connected wallet, outside of components. */
export const connectedWallet = (): Wallet | undefined => current

let stopFollowing = (): void => {}

/** From now on this account is connected, until the user switches to another one in the wallet. */
const use = (wallet: Wallet | undefined, standard?: StandardWallet): void => {
  stopFollowing()
  stopFollowing =
    wallet === undefined || standard === undefined
      ? () => {}
      : followAccount(standard, wallet.address, (other) => use(other, standard))
  current = wallet
  if (wallet === undefined) remember(undefined)
  changed()
}

/** Names of wallets that can be connected. */
export const walletNames = (): ReadonlyArray<string> => [
  ...standardWallets().map(({ name }) => name),
  ...(FAUCET === undefined ? [] : [TEST_WALLET]),
]

export const connectWallet = async (name: string, isSilent = false): Promise<void> => {
  const standard = standardWallets().find((one) => one.name === name)
  if (standard === undefined && (name !== TEST_WALLET || FAUCET === undefined)) return
  const connected = standard === undefined ? await testWallet() : await connectStandard(standard, isSilent)
  // Meanwhile the user may have chosen another one.
  if (isSilent && (current !== undefined || remembered() !== name)) return
  remember(name)
  use(connected, standard)
}

export const disconnectWallet = (): void => {
  const standard = standardWallets().find(({ name }) => name === current?.name)
  void standard?.features["standard:disconnect"]?.disconnect().catch(() => {})
  use(undefined)
}

/** Finds wallets, and connects the one of last time again. To be called once. */
export const startWallets = (): void => {
  const again = (): void => {
    const name = remembered()
    if (current === undefined && name !== null && walletNames().includes(name))
      connectWallet(name, true).catch(() => {})
    changed()
  }
  findStandardWallets(again)
  again()
}

const useChanges = (): void => {
  const [, setCount] = useState(0)
  useEffect(() => {
    const listener = (): void => setCount((count) => count + 1)
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
}

/** The connected wallet, as it changes. */
export const useWallet = (): Wallet | undefined => {
  useChanges()
  return current
}

/** Names of wallets that can be connected, as they appear. */
export const useWalletNames = (): ReadonlyArray<string> => {
  useChanges()
  return walletNames()
}
