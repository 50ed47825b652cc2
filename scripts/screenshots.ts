/**
 * `node scripts/screenshots.ts [folder]`: pictures of the console's screens, of a service and a local chain that it starts and on which tokens are
 * launched and traded. Needs Chromium (`scripts/install-chromium`) and the programs (`scripts/clonePrograms.ts`).
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPage, startedChromium, withoutChromium } from "../apps/launchpad/test/browser/Chromium.ts"
import { answering, freePort, run } from "../packages/service/test/RunningService.ts"

const ROOT = join(import.meta.dirname, "..")
const VIEWPORT = { width: 1_280, height: 800 }
const TRADING = ["--launches", "8", "--graduate", "1", "--wallets", "6", "--trades", "160", "--rate", "40"]

const [folder = join(ROOT, "docs/images")] = process.argv.slice(2)

const finished = (args: ReadonlyArray<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" })
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`))))
  })

const shoot = async (url: string): Promise<void> => {
  const browser = await startedChromium()
  try {
    const { page } = await openPage(browser, `${url}/console`, { viewport: VIEWPORT })
    const picture = async (name: string): Promise<void> => {
      await page.screenshot({ path: join(folder, `console-${name}.png`), animations: "disabled" })
      process.stdout.write(`${name}\n`)
    }
    await page.waitForSelector("main >> text=Live")
    await page.waitForSelector("[data-mint] progress")
    await picture("board")
    const mint = await page.getAttribute("[data-mint]:has(progress)", "data-mint")
    await page.goto(`${url}/console#/token/${mint}`)
    await page.waitForSelector("canvas")
    await page.waitForSelector("text=Holders")
    await picture("token")
    await page.goto(`${url}/console#/launch`)
    await page.waitForSelector("text=Choose an image")
    await picture("launch")
  } finally {
    await browser.close()
  }
}

if (withoutChromium !== undefined) throw new Error(withoutChromium)
mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), "registry-screenshots-"))
const [port, chainPort] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${port}`
const service = run({ DATA_FOLDER: data, PORT: String(port), LOCAL_CHAIN_PORT: String(chainPort) })
try {
  await answering(service, url)
  await finished(["demo/main.ts", "--api", url, "--chain", `http://127.0.0.1:${chainPort}`, ...TRADING])
  await shoot(url)
} finally {
  service.process.kill("SIGTERM")
  await service.ended
  rmSync(data, { recursive: true, force: true })
}
