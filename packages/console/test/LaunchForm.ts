import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { noisePng } from "../../service/test/NoisePng.ts"
import { openPage } from "./Chromium.ts"

/** The launch screen, as its user works it. */

export const does = <A>(work: () => Promise<A>) => Effect.promise(work)

export const openedAt = (browser: Browser, url: string, look?: Parameters<typeof openPage>[2]) =>
  Effect.acquireRelease(
    does(() => openPage(browser, `${url}/console#/launch`, look)),
    ({ page }) => does(() => page.context().close()),
  )

/** Data behind the end of the picture, as cameras and editors leave it there. */
export const LEFT_BEHIND = 100
export const PICTURE = {
  name: "token.png",
  mimeType: "image/png",
  buffer: Buffer.concat([noisePng(1, 64), Buffer.alloc(LEFT_BEHIND, "x")]),
}

export const chooseImage = (page: Page, file = PICTURE) => does(() => page.setInputFiles("input[type=file]", file))
export const fill = (page: Page, field: string, text: string) => does(() => page.fill(`#launch-${field}`, text))
export const press = (page: Page, name: string) => does(() => page.click(`button:text-is("${name}"):enabled`))
export const seen = (page: Page, selector: string) => does(() => page.waitForSelector(selector))

export const connectWallet = Effect.fnUntraced(function* (page: Page, isFilled: boolean) {
  yield* press(page, "Connect a wallet")
  yield* press(page, "Test wallet")
  yield* seen(page, "#wallet-menu code")
  const address = yield* does(() => page.innerText("#wallet-menu code"))
  if (isFilled) {
    yield* press(page, "Get 10 SOL")
    yield* seen(page, "text=The wallet has 10 SOL more")
  }
  yield* does(() => page.keyboard.press("Escape"))
  return address
})

export const enterDetails = Effect.fnUntraced(function* (page: Page) {
  yield* fill(page, "name", "Harbour")
  yield* fill(page, "symbol", "HARB")
  yield* fill(page, "description", "A token of the harbour")
  yield* fill(page, "website", "https://example.com")
})

export const refusal = (code: string, message: string) => ({
  status: 503,
  json: { success: false, code, message, requestId: "a-request" },
})

/** Elements at the side of what is shown, but for those that scroll in a box of their own. */
export const STICKING_OUT = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth && element.closest(".scroll") === null)
  .map((element) => element.outerHTML.slice(0, 80))`

/** What Chromium itself says of answers that are errors is none of ours. */
export const ownFaults = (faults: ReadonlyArray<string>) =>
  faults.filter((fault) => !fault.includes("Failed to load resource"))
