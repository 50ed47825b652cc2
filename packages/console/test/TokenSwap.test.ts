import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { localService } from "../../service/test/StartedService.ts"
import { closePages, noteSkipped, openPage, startedChromium, withoutChromium } from "./Chromium.ts"

const ROOT = join(import.meta.dirname, "../../..")
const PROGRAMS = join(ROOT, "programs")
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so", "cp_amm.so"].every((file) =>
  existsSync(join(PROGRAMS, file)),
)
noteSkipped("a swap in the console")

const does = <A>(work: () => Promise<A>) => Effect.promise(work)

/** Launches a token that is traded a little. */
const demo = (api: string, chain: string) =>
  does(
    () =>
      new Promise<number | null>((resolve) => {
        const few = ["--launches", "1", "--graduate", "0", "--wallets", "2", "--trades", "4", "--rate", "100"]
        const options = ["--api", api, "--chain", chain, ...few]
        spawn(process.execPath, [join(ROOT, "demo/main.ts"), ...options], { stdio: "ignore" }).on("close", resolve)
      }),
  )

const browser = Effect.acquireRelease(does(startedChromium), () => does(closePages))

describe.skipIf(!hasPrograms || withoutChromium !== undefined)(
  "A swap in the console (needs the program files; see CONTRIBUTING)",
  () => {
    it.live("is quoted, built, signed by the test wallet and landed, and shows among the trades", () =>
      Effect.gen(function* () {
        const { chainUrl: chain, url } = yield* localService(PROGRAMS)
        assert.strictEqual(yield* demo(url, chain), 0)
        const started = yield* browser
        const { faults, page } = yield* does(() => openPage(started, `${url}/console`))
        // From the board by its row.
        yield* does(() => page.click("tr[data-mint] a"))
        yield* does(() => page.waitForSelector(".trades tbody tr"))
        yield* does(() => page.waitForSelector(".canvas:not([data-candles='0'])"))
        yield* does(() => page.waitForSelector(".live span"))
        yield* does(() => page.click("text=Connect a wallet"))
        yield* does(() => page.click("button >> text=Test wallet"))
        yield* does(() => page.keyboard.press("Escape"))

        // Without SOL it says what is missing, and asks the wallet for nothing.
        yield* does(() => page.fill("[name=amount]", "2"))
        yield* does(() => page.waitForSelector(".quote"))
        yield* does(() => page.click(".go"))
        yield* does(() => page.waitForSelector(".outcome.bad >> text=SOL"))

        yield* does(() => page.click("header >> text=Test wallet"))
        yield* does(() => page.click("text=Get 10 SOL"))
        yield* does(() => page.waitForSelector("text=The wallet has 10 SOL more"))
        yield* does(() => page.keyboard.press("Escape"))
        yield* does(() => page.selectOption("[name=priority]", "none"))
        const before = yield* does(() => page.locator(".trades tbody tr").count())
        yield* does(() => page.click(".go"))
        yield* does(() => page.waitForSelector(".steps li:last-child.done"))
        const signature = yield* does(() => page.getAttribute(".outcome code", "title"))
        const row = `.trades tr[data-signature="${signature}"]`
        yield* does(() => page.waitForSelector(row))
        assert.match(yield* does(() => page.innerText(row)), /Buy[^]*2 SOL/)
        assert.strictEqual(yield* does(() => page.locator(".trades tbody tr").count()), before + 1)

        // And back: what was bought is sold.
        yield* does(() => page.click(".choice >> text=Sell"))
        yield* does(() => page.fill("[name=amount]", "1000"))
        yield* does(() => page.waitForSelector(".quote >> text=SOL"))
        yield* does(() => page.click(".go"))
        yield* does(() => page.waitForSelector(".trades tbody tr:first-child >> text=Sell"))
        yield* does(() => page.waitForSelector(".steps li:last-child.done"))
        assert.deepStrictEqual(faults, [])
      }).pipe(Effect.scoped),
    )
  },
)
