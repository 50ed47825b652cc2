import { getWallets } from "@wallet-standard/app"
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react"
import { FAUCET, signWritesBy } from "../registry/Connection.ts"
import { readStored, store } from "../Stored.ts"
import { connectStandard, disconnectStandard, followAccount, isOfSolana } from "./StandardWallet.ts"
import { TEST_WALLET, type Wallet } from "./Wallet.ts"

/** What can be connected. */
export interface Connectable {
  readonly name: string
  /** A data URL; the test wallet has none. */
  readonly icon?: string
}

interface Wallets {
  readonly wallet: Wallet | undefined
  readonly connectable: ReadonlyArray<Connectable>
  /** Fails where the user refuses. */
  readonly connect: (name: string) => Promise<void>
  readonly disconnect: () => void
}

// No part of the first view: only local chains have it.
const testWallet = async () => (await import("./TestWallet.ts")).testWallet()

const Context = createContext<Wallets | undefined>(undefined)

const REMEMBERED = "wallet"

const standard = getWallets()
let registered = standard.get().filter(isOfSolana)
const subscribe = (onChange: () => void): (() => void) => {
  const look = () => {
    registered = standard.get().filter(isOfSolana)
    onChange()
  }
  const stops = [standard.on("register", look), standard.on("unregister", look)]
  look()
  return () => {
    for (const stop of stops) stop()
  }
}

/** Finds wallets, connects the one of last time again, and gives the connected one to what is below. */
export const WalletProvider = ({ children }: { readonly children: ReactNode }) => {
  const found = useSyncExternalStore(subscribe, () => registered)
  const [wallet, setWallet] = useState<Wallet>()

  const wallets = useMemo((): Wallets => {
    const byName = (name: string | undefined) => found.find((one) => one.name === name)
    return {
      wallet,
      connectable: [
        ...found.map(({ icon, name }) => ({ icon, name })),
        ...(FAUCET === undefined ? [] : [{ name: TEST_WALLET }]),
      ],
      connect: async (name) => {
        const one = byName(name)
        setWallet(one === undefined ? await testWallet() : await connectStandard(one, false))
        store(REMEMBERED, name)
      },
      disconnect: () => {
        const one = byName(wallet?.name)
        if (one !== undefined) disconnectStandard(one)
        store(REMEMBERED, undefined)
        setWallet(undefined)
      },
    }
  }, [found, wallet])

  useEffect(() => {
    const name = readStored(REMEMBERED)
    if (wallet !== undefined || name === null) return
    const one = found.find((each) => each.name === name)
    if (one === undefined && (name !== TEST_WALLET || FAUCET === undefined)) return
    let isCurrent = true
    const connecting = one === undefined ? testWallet() : connectStandard(one, true)
    connecting.then(
      (connected) => isCurrent && setWallet(connected),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [found, wallet])

  useEffect(() => {
    signWritesBy(
      wallet?.signMessage === undefined ? undefined : { address: wallet.address, signMessage: wallet.signMessage },
    )
    const one = found.find((each) => each.name === wallet?.name)
    return wallet === undefined || one === undefined ? undefined : followAccount(one, wallet.address, setWallet)
  }, [found, wallet])

  return <Context value={wallets}>{children}</Context>
}

export const useWallets = (): Wallets => {
  const wallets = useContext(Context)
  if (wallets === undefined) throw new Error("There is no WalletProvider above this component")
  return wallets
}
