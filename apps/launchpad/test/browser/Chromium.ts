import { existsSync } from "node:fs"
import axe from "axe-core"
import { type Browser, chromium, type Page } from "playwright-core"

/** Where Debian's package and its relatives have it. */
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync)

/** Why tests in a browser are skipped; `undefined` where they run. */
export const withoutChromium =
  EXECUTABLE === undefined ? "there is no Chromium: scripts/install-chromium installs it" : undefined

/** Says why tests of a browser are skipped. */
export const noteSkipped = (tests: string): void => {
  if (withoutChromium !== undefined) process.stderr.write(`Skipped ${tests}: ${withoutChromium}\n`)
}

let started: Promise<Browser> | undefined

/** The browser of this process, which it ends with. Each page has a context of its own. */
export const startedChromium = (): Promise<Browser> =>
  // A container has no user namespaces of its own, and root no sandbox; the pages are ours.
  (started ??= chromium.launch({ executablePath: EXECUTABLE!, args: ["--no-sandbox", "--disable-dev-shm-usage"] }))

/** Closes the pages that a file has opened. */
export const closePages = async (): Promise<void> => {
  const browser = await started
  for (const context of browser?.contexts() ?? []) await context.close()
}

/** A page, and what went wrong on it: errors of the console, violations of the policy, failed requests. */
export interface WatchedPage {
  readonly page: Page
  readonly faults: Array<string>
}

export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 900 }

export const openPage = async (
  browser: Browser,
  url: string,
  { colorScheme = "light" as "light" | "dark", viewport = DESKTOP } = {},
): Promise<WatchedPage> => {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce" })
  // Only what never comes is given up.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`${message.type()}: ${message.text()}`)
  })
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`))
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin)) faults.push(`another host: ${request.url()}`)
  })
  await page.addInitScript(`
    addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
      console.error("policy", violatedDirective, blockedURI))`)
  await page.goto(url)
  return { page, faults }
}

/** Waits until this holds in the page. Unlike `waitForFunction`, it evaluates nothing that the page's policy forbids. */
export const until = async (page: Page, expression: string): Promise<void> => {
  while ((await page.evaluate(expression)) !== true) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** What axe finds moderate or worse: rule and element. */
export const axeFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as axe.AxeResults
  return found.violations
    .filter(({ impact }) => impact !== "minor")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
