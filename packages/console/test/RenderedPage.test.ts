import { createServer } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { compareAll, manyLaunches } from "../../server/test/launch/ManyLaunches.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { DESKTOP, openPage, PHONE, until, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the rendered page in a browser")

const opened = (path: string, look = {}) =>
  Effect.acquireRelease(
    Effect.flatMap(TestServer, ({ url }) => Effect.promise(() => openPage(browser(), `${url}${path}`, look))),
    ({ page }) => Effect.promise(() => page.context().close()),
  )

const INTERACTIVE = "performance.getEntriesByName('interactive').length === 1"

/** The page at a path whose modules come when they are let in. */
const held = Effect.fnUntraced(function* (path: string, look = {}) {
  const { url } = yield* TestServer
  // A page of the same origin, so that what is stored can be written before.
  const { faults, page } = yield* opened("/docs", look)
  faults.length = 0
  let letIn = (): void => {}
  const released = new Promise<void>((resolve) => (letIn = resolve))
  yield* Effect.promise(async () => {
    await page.route("**/Main.js", async (route) => {
      await released
      await route.continue()
    })
    await page.evaluate("localStorage.setItem('console-theme', 'dark')")
    await page.goto(`${url}${path}`, { waitUntil: "commit" })
  })
  const interactive = Effect.promise(async () => {
    letIn()
    await until(page, INTERACTIVE)
  })
  return { page, faults, interactive }
})

/** The service, whose page at `/console` is sent up to its first row, and the rest when it is let through. */
const haltingPage = Effect.gen(function* () {
  const { url } = yield* TestServer
  let letThrough = (): void => {}
  const released = new Promise<void>((resolve) => (letThrough = resolve))
  const server = createServer(async (request, response) => {
    const ask = () => fetch(`${url}${request.url}`)
    // As browsers do where a connection that was kept alive ends just then; the page would wait for its style for ever.
    const answer = await ask().catch(ask)
    const headers = ["content-type", "content-security-policy"].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    response.writeHead(answer.status, Object.fromEntries(headers))
    if (request.url !== "/console") return response.end(Buffer.from(await answer.arrayBuffer()))
    const [first = "", ...rest] = (await answer.text()).split(/(?<=<\/tr>)(?=<tr role="row" data-mint)/)
    response.write(first)
    await released
    return response.end(rest.join(""))
  })
  yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  yield* Effect.addFinalizer(() => Effect.sync(() => (server.closeAllConnections(), server.close())))
  const { port } = server.address() as { readonly port: number }
  return { url: `http://127.0.0.1:${port}`, letThrough }
})

const seen = (page: Page, selector: string) => Effect.promise(() => page.waitForSelector(selector))
const asked = <A>(page: Page, expression: string) => Effect.promise(() => page.evaluate(expression) as Promise<A>)

const HOSTILE = "</script><img src=x onerror=globalThis.broken=1>"

layer(TestServer.layer(), { excludeTestServices: true })("The rendered board", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip
  const filled = Effect.gen(function* () {
    const sql = yield* SqlClient
    const [known] = yield* sql`select 1 from dbc_pools where name = ${HOSTILE}`
    if (known !== undefined) return
    yield* manyLaunches(130)
    yield* sql`update dbc_pools set name = ${HOSTILE}, symbol = ${"{list}<b>$&"} where name = 'Name 129'`
    yield* compareAll
  })

  test("is there without a script, in both themes and on a phone", () =>
    Effect.gen(function* () {
      yield* filled
      const { url } = yield* TestServer
      for (const colorScheme of ["light", "dark"] as const)
        for (const viewport of [DESKTOP, PHONE])
          yield* Effect.promise(async () => {
            const context = await browser().newContext({ colorScheme, viewport, javaScriptEnabled: false })
            const page = await context.newPage()
            await page.goto(`${url}/console`)
            assert.strictEqual(await page.locator("tr[data-mint]:visible").count(), 10)
            assert.include(await page.innerText("body"), "The console needs JavaScript")
            const { height, width } = (await page.locator("html").boundingBox())!
            assert.isAtMost(width, viewport.width)
            assert.isAbove(height, 400)
            await context.close()
          })
    }).pipe(Effect.scoped))

  test("is taken over by its modules: nothing moves, what was typed and has the focus stays, one list is read", () =>
    Effect.gen(function* () {
      yield* filled
      const { faults, interactive, page } = yield* held("/console")
      const lists: Array<string> = []
      page.on("request", (request) => {
        if (request.url().includes("/api/launch/pools")) lists.push(request.url())
      })
      yield* seen(page, "tr[data-mint]")
      // The theme that was chosen, before any module.
      assert.strictEqual(yield* asked(page, "getComputedStyle(document.body).colorScheme"), "dark")
      yield* asked(
        page,
        `globalThis.moved = 0
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) globalThis.moved += value
        }).observe({ type: "layout-shift", buffered: true })
        globalThis.kept = [...document.querySelectorAll("header, main, h1, tr[data-mint], tr[data-mint] *")]
        document.querySelector("input[type=search]").focus()`,
      )
      yield* interactive
      const same = "globalThis.kept.every((element) => element.isConnected)"
      assert.isTrue(yield* asked(page, same))
      // All of the list behind what was rendered, once the stream has begun.
      yield* seen(page, ".live span")
      yield* Effect.promise(() => page.locator("tr[data-mint]").nth(99).waitFor())
      assert.isTrue(yield* asked(page, same))
      assert.strictEqual(yield* asked(page, "globalThis.moved"), 0)
      assert.lengthOf(lists, 1)
      assert.strictEqual(yield* asked(page, "document.activeElement.type"), "search")
      assert.strictEqual(yield* asked(page, "document.querySelector('.theme select').value"), "dark")
      assert.isTrue(yield* asked(page, "globalThis.broken === undefined"))
      yield* seen(page, "tr[data-mint] >> text=<img src=x")
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("is not taken over before the whole page has arrived", () =>
    Effect.gen(function* () {
      yield* filled
      const { letThrough, url } = yield* haltingPage
      const { page } = yield* opened("/docs")
      const preloaded = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/Main.js"))
      yield* Effect.promise(() => page.goto(`${url}/console`, { waitUntil: "commit" }))
      yield* seen(page, "tr[data-mint]")
      yield* Effect.promise(() => preloaded)
      // Frames in which modules that do not wait would begin.
      const frames =
        "new Promise((end) => { const next = (left) => left === 0 ? end(true) : requestAnimationFrame(() => setTimeout(() => next(left - 1))); next(20) })"
      yield* asked(page, frames)
      assert.strictEqual(yield* asked(page, "document.readyState"), "loading")
      assert.strictEqual(yield* asked(page, "document.querySelectorAll('script[type=module]').length"), 0)
      yield* asked(page, "globalThis.row = document.querySelector('tr[data-mint]')")
      letThrough()
      yield* Effect.promise(() => until(page, INTERACTIVE))
      assert.isTrue(yield* asked(page, "globalThis.row.isConnected"))
      assert.isAtLeast(yield* asked<number>(page, "document.querySelectorAll('tr[data-mint]').length"), 10)
    }).pipe(Effect.scoped))

  test("goes on with what was typed into it before", () =>
    Effect.gen(function* () {
      yield* filled
      const { interactive, page } = yield* held("/console")
      yield* Effect.promise(async () => {
        await page.fill("input[type=search]", "no token has this")
        await page.selectOption(".theme select", "light")
      })
      yield* interactive
      yield* seen(page, "text=No registered token has “no token has this”")
      assert.strictEqual(yield* asked(page, "document.documentElement.dataset.theme"), "light")
    }).pipe(Effect.scoped))

  test("does again what was pressed in it before, once", () =>
    Effect.gen(function* () {
      yield* filled
      for (const place of ["", "#/launch"]) {
        const { faults, interactive, page } = yield* held(`/console${place}`)
        yield* Effect.promise(() => page.click("button:text-is('Connect a wallet')"))
        assert.isTrue(yield* asked(page, "document.querySelector('#wallet-menu').hidden"))
        yield* interactive
        yield* seen(page, "button[aria-expanded=true]:text-is('Connect a wallet')")
        yield* Effect.promise(() => page.click("button:text-is('Connect a wallet')"))
        yield* seen(page, "button[aria-expanded=false]:text-is('Connect a wallet')")
        assert.deepStrictEqual(faults, [])
      }
    }).pipe(Effect.scoped))

  test("is not seen where another place is opened, also by a link of it", () =>
    Effect.gen(function* () {
      yield* filled
      for (const place of ["operate", "board/graduated"]) {
        const { faults, interactive, page } = yield* held(`/console#/${place}`)
        yield* seen(page, "header >> text=Token Launch Registry")
        assert.strictEqual(yield* Effect.promise(() => page.locator("tr[data-mint]:visible, h1:visible").count()), 0)
        assert.include(
          yield* asked(page, "getComputedStyle(document.querySelector('main'), '::before').content"),
          "Loading",
        )
        yield* interactive
        yield* seen(page, place === "operate" ? "h1 >> text=Operate" : "a[aria-current=page] >> text=Graduated")
        assert.strictEqual(yield* asked(page, "document.querySelectorAll('header').length"), 1)
        assert.deepStrictEqual(faults, [])
      }
      const { interactive, page } = yield* held("/console")
      yield* Effect.promise(() => page.click("header >> text=Developers"))
      yield* interactive
      yield* seen(page, "h1 >> text=Developers")
      assert.strictEqual(yield* asked(page, "document.querySelectorAll('tr[data-mint]').length"), 0)
    }).pipe(Effect.scoped))
})
