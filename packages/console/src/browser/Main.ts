import { render } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Board, viewOf } from "./board/Board.ts"
import { readFirst } from "./board/FirstList.ts"
import { html, type View } from "./Html.ts"
import { later } from "./Later.ts"
import { Empty, Offline } from "./States.ts"
import { ThemeSwitch } from "./Theme.ts"
import { startWallets } from "./wallet/Wallet.ts"
import { WalletButton } from "./wallet/WalletButton.ts"

const SCREENS = [
  ["board", "Board"],
  ["launch", "Launch"],
  ["operate", "Operate"],
  ["developers", "Developers"],
] as const

const Launch = later("the launch screen", async () => (await import("./launch/Launch.ts")).Launch)
const Developers = later(
  "the screen of developers",
  async () => (await import("./developers/Developers.ts")).Developers,
)
const Operate = later("Operate", async () => (await import("./operate/Operate.ts")).Operate)
const Token = later("the token", async () => (await import("./token/Token.ts")).Token)

/** The place in the console is behind the `#`, so that one page serves all of them. */
const place = (): ReadonlyArray<string> => location.hash.replace(/^#\/?/, "").split("/")

const screenOf = ([screen = "", view = ""]: ReadonlyArray<string>): View => {
  if (screen === "" || screen === "board") return html`<${Board} path=${view} />`
  if (screen === "token") return html`<${Token} key=${view} mint=${view} />`
  if (screen === "launch") return html`<${Launch} />`
  if (screen === "developers") return html`<${Developers} />`
  if (screen === "operate") return html`<${Operate} />`
  return html`<${Empty}>There is no such screen. <a href="#/board">Go to the board</a><//>`
}

const Shell = (): View => {
  const [path, setPath] = useState(place)
  useEffect(() => {
    const look = (): void => setPath(place())
    addEventListener("hashchange", look)
    return () => removeEventListener("hashchange", look)
  }, [])
  const screen = path[0] === "" ? "board" : path[0]
  useEffect(() => {
    const name = SCREENS.find(([one]) => one === screen)?.[1] ?? "Console"
    document.title = `${name} · Token Launch Registry`
  }, [screen])
  return html`<button class="skip" onClick=${() => document.querySelector<HTMLElement>("main")?.focus()}>
      Skip to content
    </button>
    <header>
      <a class="brand" href="#/board">Token Launch Registry</a>
      <nav aria-label="Screens">
        ${SCREENS.map(
          ([one, name]) => html`<a href=${`#/${one}`} aria-current=${one === screen ? "page" : undefined}>${name}</a>`,
        )}
        <a href="docs">API</a>
      </nav>
      <${ThemeSwitch} />
      <${WalletButton} />
    </header>
    <${Offline} />
    <main tabindex="-1">${screenOf(path)}</main>`
}

const draw = (): void => {
  const root = document.querySelector("#console")!
  // What the page shows until here.
  root.replaceChildren()
  render(html`<${Shell} />` as never, root)
}

startWallets()
const [opened = "", view = ""] = place()
if (opened === "" || opened === "board") void readFirst(viewOf(view)).then(draw)
else draw()
