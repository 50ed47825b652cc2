import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { TestServer } from "../../../../packages/service/test/TestServer.ts"
import { openPage } from "./Chromium.ts"

/** The app as the service of a test serves it, at a place such as `token/<mint>`; closed with the scope. */
export const openApp = (browser: Browser, place = "", look?: Parameters<typeof openPage>[2]) =>
  Effect.acquireRelease(
    Effect.flatMap(TestServer, ({ url }) => Effect.promise(() => openPage(browser, `${url}/console#/${place}`, look))),
    ({ page }) => Effect.promise(() => page.context().close()),
  )

/** Something that is done on a page, which fails the test where it fails. */
export const does = <A>(what: () => Promise<A>) => Effect.promise(what)

export const seen = (page: Page, selector: string) => does(() => page.waitForSelector(selector))

export const textOf = (page: Page, selector: string) => does(() => page.innerText(selector))

export const press = (page: Page, name: string) => does(() => page.click(`button:text-is("${name}"):enabled`))

/** What Chromium itself says of answers that are errors is none of the app's. */
export const ownFaults = (faults: ReadonlyArray<string>): ReadonlyArray<string> =>
  faults.filter((fault) => !fault.includes("Failed to load resource"))

/** What is cut: parts of the page beyond its right side, but for those that scroll in a box of their own. */
export const STICKING_OUT = `[...document.querySelectorAll("body *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth && element.closest("[class*=scroll]") === null)
  .map((element) => element.outerHTML.slice(0, 120))`
