import { lazy, Suspense, useEffect } from "react"
import { brand } from "../brand.ts"
import { Board } from "./board/Board.tsx"
import { Search } from "./board/Search.tsx"
import styles from "./App.module.css"
import logo from "./logo.svg"
import { ThemeSwitch } from "./design/ThemeSwitch.tsx"
import { REGISTRY_URL } from "./registry/Connection.ts"
import { PageBoundary } from "./routing/PageBoundary.tsx"
import { hrefOf, useRoute } from "./routing/Route.ts"
import { WalletButton } from "./wallet/WalletButton.tsx"

// Loaded when they are opened: the first view is the board.
const Token = lazy(() => import("./token/Token.tsx"))
const Launch = lazy(() => import("./launch/Launch.tsx"))
const Portfolio = lazy(() => import("./portfolio/Portfolio.tsx"))
const Status = lazy(() => import("./status/Status.tsx"))

const PLACES = [
  ["", "Board"],
  ["launch", "Launch"],
  ["portfolio", "Portfolio"],
] as const

const Page = ({ path }: { readonly path: ReadonlyArray<string> }) => {
  const [place, id] = path
  if (place === "token" && id !== undefined) return <Token key={id} mint={id} />
  if (place === "launch") return <Launch />
  if (place === "portfolio") return <Portfolio address={id} />
  if (place === "status") return <Status />
  return <Board />
}

export const App = () => {
  const { path } = useRoute()
  const [place = "", id = ""] = path
  useEffect(() => void window.scrollTo(0, 0), [place, id])
  return (
    <>
      <a
        className="hidden"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.querySelector("main")?.focus()
        }}
      >
        Skip to content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <a className={`row ${styles.brand}`} href={hrefOf("")} aria-label={brand.name}>
            <img src={logo} alt="" width="30" height="30" />
            <b>{brand.name}</b>
          </a>
          <nav className={styles.nav} aria-label="Pages">
            {PLACES.map(([name, text]) => (
              <a key={name} href={hrefOf(name)} aria-current={place === name ? "page" : undefined}>
                {text}
              </a>
            ))}
          </nav>
          <Search />
          <ThemeSwitch />
          <WalletButton />
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <PageBoundary key={`${place}/${id}`}>
          <Suspense fallback={<p role="status">Loading</p>}>
            <Page path={path} />
          </Suspense>
        </PageBoundary>
      </main>
      <footer className={`row muted ${styles.footer}`}>
        <a href={hrefOf("status")}>Status</a>
        <a href={new URL("docs", REGISTRY_URL).href}>API</a>
      </footer>
    </>
  )
}
