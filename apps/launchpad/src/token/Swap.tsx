import { useRef, useState, useSyncExternalStore } from "react"
import { Button } from "../design/Button.tsx"
import type { SideToken } from "./QuoteLines.tsx"
import panels from "./Panels.module.css"
import styles from "./Swap.module.css"
import { SwapBox, useEntered } from "./SwapBox.tsx"

const phone = matchMedia("(max-width: 760px)")
const onPhoneChange = (changed: () => void): (() => void) => {
  phone.addEventListener("change", changed)
  return () => phone.removeEventListener("change", changed)
}

/** Swaps beside the chart; on a phone in a sheet that buttons above the navigation open. */
export const Swap = (tokens: { readonly base: SideToken; readonly quote: SideToken }) => {
  const isPhone = useSyncExternalStore(onPhoneChange, () => phone.matches)
  const [isSale, setSale] = useState(false)
  const entered = useEntered()
  const sheet = useRef<HTMLDialogElement>(null)
  const box = <SwapBox {...tokens} entered={entered} isSale={isSale} onSide={setSale} />
  if (!isPhone) return <section className={`surface stack ${panels.panel}`}>{box}</section>
  const open = (sale: boolean) => {
    setSale(sale)
    sheet.current?.showModal()
  }
  const name = tokens.base.name
  return (
    <>
      <div className={styles.sticky}>
        <Button isWide look="buy" onClick={() => open(false)}>
          Buy {name}
        </Button>
        <Button isWide look="sell" onClick={() => open(true)}>
          Sell
        </Button>
      </div>
      <dialog
        ref={sheet}
        className={styles.sheet}
        aria-label={`Swap ${name}`}
        onClick={(event) => {
          // Outside of the sheet, a press is on the dialog itself.
          if (event.target === event.currentTarget) sheet.current?.close()
        }}
      >
        <div className={styles.inner}>
          <div className={styles.row}>
            <h2 dir="auto">{name}</h2>
            <Button look="quiet" aria-label="Close" onClick={() => sheet.current?.close()}>
              ✕
            </Button>
          </div>
          {box}
        </div>
      </dialog>
    </>
  )
}
