import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { closePages, noteSkipped, startedChromium, withoutChromium } from "./Chromium.ts"

/** The browser of a file's tests; says why they are skipped where there is none. Their pages are closed after them. */
export const suiteBrowser = (tests: string): (() => Browser) => {
  let browser: Browser
  beforeAll(async () => {
    noteSkipped(tests)
    if (withoutChromium === undefined) browser = await startedChromium()
  })
  afterAll(closePages)
  return () => browser
}
