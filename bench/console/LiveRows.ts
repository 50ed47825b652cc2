import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import type { Browser, CDPSession, Page } from "playwright-core"
import { startedChromium, withoutChromium } from "../../apps/launchpad/test/browser/Chromium.ts"
import type { consoleFiles } from "../../packages/console/src/ConsoleFiles.ts"
import { median, quantile } from "../Quantiles.ts"
import { type PlayedRegistry, playedRegistry } from "./PlayedRegistry.ts"

/**
 * What 500 live rows of the board cost: CPU of the process of the page, frames that were not drawn in time, and milliseconds from a trade that
 * is sent until its row is painted with the CPU slowed four times. Of this checkout, and of `--against <checkout>` in turn.
 */
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    latencies: { type: "string", default: "100" },
  },
})
const LAUNCHES = 500
const SLOWED = 4
const FRAME_MILLIS = 1_000 / 60
const ROOT = join(import.meta.dirname, "../..")

/** In the page: when the frame after the one in which the figure of a row changed had been drawn, by the exact figure that it has on hover. */
const NOTE_PAINTED = `new MutationObserver((changes) => {
  const figures = changes.map(({ target }) => target).filter((target) => target.closest("[data-mint]")).map(({ title }) => title)
  if (figures.length > 0)
    requestAnimationFrame(() => setTimeout(() => console.info("painted", performance.timeOrigin + performance.now(), ...figures)))
}).observe(document, { subtree: true, attributeFilter: ["title"] })`

/** In the page: milliseconds between its frames for so long. */
const framesFor = (millis: number) => `new Promise((resolve) => {
  const frames = []
  let last
  const frame = (at) => {
    if (last !== undefined) frames.push(at - last)
    last = at
    if (frames.reduce((sum, one) => sum + one, 0) < ${millis}) requestAnimationFrame(frame)
    else resolve(frames)
  }
  requestAnimationFrame(frame)
})`

/** In the page: mints of the rows in view. */
const IN_VIEW = `[...document.querySelectorAll("[data-mint]")]
  .filter((row) => row.getBoundingClientRect().bottom < innerHeight).map((row) => row.dataset.mint)`

/** What was measured of one checkout. */
interface Measured {
  readonly cpu: Map<string, Array<number>>
  readonly frames: Map<string, Array<number>>
  readonly latencies: Array<number>
}

const cpuSeconds = async (session: CDPSession): Promise<number> => {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo")
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/** A share of a core, in percent. */
const cpuOf = async (session: CDPSession, millis: number): Promise<number> => {
  const [before, beganAt] = [await cpuSeconds(session), performance.now()]
  await pause(millis)
  return (((await cpuSeconds(session)) - before) * 100_000) / (performance.now() - beganAt)
}

const added = <Value>(to: Map<string, Array<Value>>, name: string, more: ReadonlyArray<Value>) =>
  to.set(name, [...(to.get(name) ?? []), ...more])

const latenciesOf = async (page: Page, registry: PlayedRegistry, inView: ReadonlyArray<string>) => {
  const found: Array<number> = []
  for (let at = 0; at < Number(values.latencies); at++) {
    const marketCap = (30 + at / 1_000).toFixed(9)
    const painted = page.waitForEvent("console", (message) => message.text().includes(marketCap))
    const sentAt = registry.trade(inView[at % inView.length]!, marketCap)
    found.push(Number((await painted).text().split(" ")[1]) - sentAt)
    // Not in step with anything.
    await pause(100 + Math.random() * 100)
  }
  return found
}

const measure = async (browser: Browser, registry: PlayedRegistry, form: string, to: Measured): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const processes = await browser.newBrowserCDPSession()
  const millis = Number(values.seconds) * 1_000
  try {
    const page = await context.newPage()
    await page.addInitScript(NOTE_PAINTED)
    await page.goto(`${registry.url}#/${form === "table" ? "?as=table" : ""}`)
    await page
      .locator("[data-mint]")
      .nth(LAUNCHES - 1)
      .waitFor({ state: "attached" })
    await page.waitForSelector("text=Live")
    const inView: ReadonlyArray<string> = await page.evaluate(IN_VIEW)
    await pause(2_000)
    const plays = [
      [0, "", registry.mints],
      [10, "of all rows", registry.mints],
      [100, "of all rows", registry.mints],
      [100, "of rows in view", inView],
    ] as const
    for (const [perSecond, of, mints] of plays) {
      const name = `${perSecond} trades a second ${of}`.trimEnd()
      const stop = registry.play(mints, perSecond)
      await pause(500)
      added(to.cpu, `${form}, ${name}`, [await cpuOf(processes, millis)])
      added(to.frames, `${form}, ${name}`, await page.evaluate<Array<number>>(framesFor(millis)))
      stop()
    }
    const session = await context.newCDPSession(page)
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWED })
    to.latencies.push(...(await latenciesOf(page, registry, inView)))
  } finally {
    await processes.detach()
    await context.close()
  }
}

const FORMS = ["cards", "table"]
if (withoutChromium !== undefined) throw new Error(withoutChromium)
const checkouts = [ROOT, ...(values.against === undefined ? [] : [values.against])]
const measured = new Map(checkouts.map((root) => [root, new Map<string, Measured>()] as const))
const browser = await startedChromium()
for (let round = 0; round < Number(values.rounds); round++)
  for (const root of checkouts) {
    const module = pathToFileURL(join(root, "packages/console/src/ConsoleFiles.ts")).href
    const made = (await import(module)) as { readonly consoleFiles: typeof consoleFiles }
    const registry = await playedRegistry(await made.consoleFiles(), LAUNCHES)
    for (const form of FORMS) {
      const to = measured.get(root)!.get(form) ?? { cpu: new Map(), frames: new Map(), latencies: [] }
      measured.get(root)!.set(form, to)
      await measure(browser, registry, form, to)
    }
    registry.close()
  }
await browser.close()

const lost = (frames: ReadonlyArray<number>): number =>
  frames.reduce((sum, millis) => sum + Math.max(0, Math.round(millis / FRAME_MILLIS) - 1), 0)

for (const [root, forms] of measured) {
  process.stdout.write(`\n${root}\n\n`)
  process.stdout.write(
    "| | CPU of a core, median | most | frames | lost | p99 of a frame, ms |\n|---|---:|---:|---:|---:|---:|\n",
  )
  for (const { cpu, frames } of forms.values())
    for (const [name, shares] of cpu) {
      const drawn = frames.get(name)!
      const cells = [
        `${median(shares).toFixed(1)} %`,
        `${quantile(shares, 1).toFixed(1)} %`,
        drawn.length,
        lost(drawn),
        quantile(drawn, 0.99).toFixed(1),
      ]
      process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`)
    }
  process.stdout.write("\n| from a trade to its row, CPU slowed 4x, ms | median | p99 |\n|---|---:|---:|\n")
  for (const [form, { latencies }] of forms)
    process.stdout.write(`| ${form} | ${median(latencies).toFixed(1)} | ${quantile(latencies, 0.99).toFixed(1)} |\n`)
}
