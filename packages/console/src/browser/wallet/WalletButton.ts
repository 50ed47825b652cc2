import { useEffect, useRef, useState } from "preact/hooks"
import { failureOf } from "../Failure.ts"
import { shortAddress } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { FAUCET } from "../Page.ts"
import { fill } from "./Faucet.ts"
import { connectWallet, disconnectWallet, useWallet, useWalletNames } from "./Wallet.ts"

/** In the header: connects a wallet, says which one is, and fills the test wallet. */
export const WalletButton = (): View => {
  const wallet = useWallet()
  const names = useWalletNames()
  const [isOpen, setIsOpen] = useState(false)
  const [said, setSaid] = useState("")
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return
      setIsOpen(false)
      menu.current?.querySelector("button")?.focus()
    }
    const onPointer = (event: Event): void => {
      if (!menu.current?.contains(event.target as Node)) setIsOpen(false)
    }
    addEventListener("keydown", onKey)
    addEventListener("pointerdown", onPointer)
    return () => {
      removeEventListener("keydown", onKey)
      removeEventListener("pointerdown", onPointer)
    }
  }, [isOpen])
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setSaid("")
    try {
      setSaid(await work())
    } catch (error) {
      setSaid(error instanceof Error ? error.message : failureOf(error).message)
    }
  }
  const connect = (name: string): Promise<void> =>
    attempt(async () => {
      await connectWallet(name)
      return `${name} is connected`
    })
  const connected = (address: string): View =>
    html`<p><code>${address}</code></p>
      <button onClick=${() => attempt(async () => (await navigator.clipboard.writeText(address), "Copied"))}>
        Copy the address
      </button>
      ${
        wallet?.isTest === true && FAUCET !== undefined
          ? html`<button onClick=${() => attempt(() => fill(address))}>Get 10 SOL</button>`
          : null
      }
      <button onClick=${() => disconnectWallet()}>Disconnect</button>`
  const choice =
    names.length === 0
      ? html`<p>This browser has no wallet for Solana that supports Wallet Standard.</p>`
      : names.map((name) => html`<button onClick=${() => connect(name)}>${name}</button>`)
  return html`<div class="wallet" ref=${menu}>
    <button aria-expanded=${isOpen} aria-controls="wallet-menu" onClick=${() => setIsOpen(!isOpen)}>
      ${wallet === undefined ? "Connect a wallet" : `${wallet.name} ${shortAddress(wallet.address)}`}
    </button>
    <div id="wallet-menu" hidden=${!isOpen}>
      ${isOpen ? (wallet === undefined ? choice : connected(wallet.address)) : null}
      <p role="status">${said}</p>
    </div>
  </div>`
}
