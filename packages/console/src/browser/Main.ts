import { hydrate, render } from "preact"
import { viewOf } from "./board/Board.ts"
import type { FirstList } from "./board/FirstList.ts"
import { html, type View } from "./Html.ts"
import { later } from "./Later.ts"
import { Shell } from "./Shell.ts"
import { Empty } from "./States.ts"
import { startWallets } from "./wallet/Wallet.ts"

const Launch = later("the launch screen", async () => (await import("./launch/Launch.ts")).Launch)
const Developers = later(
  "the screen of developers",
  async () => (await import("./developers/Developers.ts")).Developers,
)
const Operate = later("Operate", async () => (await import("./operate/Operate.ts")).Operate)
const Token = later("the token", async () => (await import("./token/Token.ts")).Token)

/** The place in the console is behind the `#`, so that one page serves all of them. */
const place = (): ReadonlyArray<string> => location.hash.replace(/^#\/?/, "").split("/")

/** Of the screens that are loaded when they are opened. */
const screenOf = ([screen = "", view = ""]: ReadonlyArray<string>): View => {
  if (screen === "token") return html`<${Token} key=${view} mint=${view} />`
  if (screen === "launch") return html`<${Launch} />`
  if (screen === "developers") return html`<${Developers} />`
  if (screen === "operate") return html`<${Operate} />`
  return html`<${Empty}>There is no such screen. <a href="#/board">Go to the board</a><//>`
}

/** What the service rendered is the first view of the board. */
const isRendered = ([screen = "", view = ""]: ReadonlyArray<string>): boolean =>
  (screen === "" || screen === "board") && viewOf(view) === "new"

const root = document.querySelector("#console")!
const list = document.querySelector("#first-list")?.textContent
const opened = { list: list == null ? undefined : (JSON.parse(list) as FirstList) }
const shell = (): never => html`<${Shell} place=${place} screenOf=${screenOf} opened=${opened} />` as never

startWallets()
if (isRendered(place())) hydrate(shell(), root)
else {
  opened.list = undefined
  root.replaceChildren()
  render(shell(), root)
}
const { dataset } = document.documentElement
delete dataset["elsewhere"]
dispatchEvent(new Event("interactive"))
performance.mark("interactive")
const { pressed } = dataset
delete dataset["pressed"]
if (pressed !== undefined)
  Array.from(root.querySelectorAll("button"))
    .find((button) => button.innerText === pressed)
    ?.click()
