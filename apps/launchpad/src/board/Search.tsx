import { RegistryError } from "@launch-registry/client"
import { useEffect, useRef, useState } from "react"
import { TokenImage } from "../design/TokenImage.tsx"
import { hrefOf } from "../routing/Route.ts"
import { MarketCap } from "./BoardCard.tsx"
import { search } from "./BoardList.ts"
import type { Row } from "./Row.ts"
import { Marks } from "./Marks.tsx"
import styles from "./Search.module.css"

const TYPING_MILLIS = 150
const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

interface Found {
  readonly term: string
  readonly rows: ReadonlyArray<Row>
  readonly failure?: string
}

/** Finds registered tokens as one types; an address leads to its token, registered or not. */
export const Search = () => {
  const [term, setTerm] = useState("")
  const [found, setFound] = useState<Found>()
  const [isOpen, setIsOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const asked = term.trim()
    if (asked === "") return setFound(undefined)
    const ended = new AbortController()
    const timer = setTimeout(() => {
      search(asked, ended.signal).then(
        (rows) => setFound({ term: asked, rows }),
        (error: unknown) => {
          if (!ended.signal.aborted)
            setFound({ term: asked, rows: [], failure: error instanceof RegistryError ? error.message : String(error) })
        },
      )
    }, TYPING_MILLIS)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [term])

  const close = () => {
    setIsOpen(false)
    setTerm("")
  }

  return (
    <div
      ref={box}
      className={styles.search}
      role="search"
      onBlur={(event) => {
        if (!box.current?.contains(event.relatedTarget)) setIsOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close()
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
        const stops = [...box.current!.querySelectorAll<HTMLElement>("input, a")]
        const next = stops[stops.indexOf(document.activeElement as HTMLElement) + (event.key === "ArrowDown" ? 1 : -1)]
        next?.focus()
        event.preventDefault()
      }}
    >
      <input
        type="search"
        className={styles.input}
        placeholder="Search name, symbol or mint"
        aria-label="Search tokens"
        value={term}
        maxLength={100}
        onFocus={() => setIsOpen(true)}
        onChange={(event) => {
          setTerm(event.target.value)
          setIsOpen(true)
        }}
      />
      {isOpen && term.trim() !== "" && (
        <div className={styles.results}>
          <p className={styles.said} role="status">
            {found === undefined || found.term !== term.trim()
              ? "Searching"
              : (found.failure ??
                (found.rows.length === 0 ? "No registered token matches" : `${found.rows.length} found`))}
          </p>
          <ul>
            {MINT.test(term.trim()) && (
              <li>
                <a className={styles.result} href={hrefOf(`token/${term.trim()}`)} onClick={close}>
                  Open this mint
                </a>
              </li>
            )}
            {found?.rows.map((row) => (
              <li key={row.mint}>
                <a className={styles.result} href={hrefOf(`token/${row.mint}`)} onClick={close}>
                  <TokenImage imageUri={row.imageUri} mint={row.mint} symbol={row.symbol} size="s" />
                  <span className={styles.names}>
                    <b dir="auto">{row.symbol}</b> <Marks row={row} />
                    <span className="muted" dir="auto">
                      {" "}
                      {row.name}
                    </span>
                  </span>
                  <MarketCap row={row} />
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
