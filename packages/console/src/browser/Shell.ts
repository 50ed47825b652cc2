import { useEffect, useState } from "preact/hooks"
import { Board } from "./board/Board.ts"
import { type Opened, OpenedPage } from "./board/OpenedPage.ts"
import { html, type View } from "./Html.ts"
import { Offline } from "./States.ts"
import { ThemeSwitch } from "./Theme.ts"
import { WalletButton } from "./wallet/WalletButton.ts"

const SCREENS = [
  ["board", "Board"],
  ["launch", "Launch"],
  ["operate", "Operate"],
  ["developers", "Developers"],
] as const

interface Props {
  /** The parts of the place that is open; none is the board. */
  readonly place: () => ReadonlyArray<string>
  /** Of places that are not the board. */
  readonly screenOf: (path: ReadonlyArray<string>) => View
  readonly opened: Opened
}

/** The header and the screen of a place. The service renders it as well, where there is no document. */
export const Shell = ({ opened, place, screenOf }: Props): View => {
  const [path, setPath] = useState(place)
  useEffect(() => {
    const look = (): void => setPath(place())
    addEventListener("hashchange", look)
    return () => removeEventListener("hashchange", look)
  }, [])
  const [name = "", view = ""] = path
  const screen = name === "" ? "board" : name
  useEffect(() => {
    const title = SCREENS.find(([one]) => one === screen)?.[1] ?? "Console"
    document.title = `${title} · Token Launch Registry`
  }, [screen])
  return html`<button class="skip" onClick=${() => document.querySelector<HTMLElement>("main")?.focus()}>
      Skip to content
    </button>
    <header>
      <a class="brand" href="#/board">Token Launch Registry</a>
      <nav aria-label="Screens">
        ${SCREENS.map(
          ([one, title]) =>
            html`<a href=${`#/${one}`} aria-current=${one === screen ? "page" : undefined}>${title}</a>`,
        )}
        <a href="docs">API</a>
      </nav>
      <${ThemeSwitch} />
      <${WalletButton} />
    </header>
    <${Offline} />
    <main tabindex="-1">
      <${OpenedPage.Provider} value=${opened}
        >${screen === "board" ? html`<${Board} path=${view} />` : screenOf(path)}<//
      >
    </main>`
}
