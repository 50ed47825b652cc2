import { connect, createServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import { NotificationReceiver } from "../../server/test/notifications/NotificationReceiver.ts"
import { endpoint, OPTIONS, sendAll } from "../../server/test/notifications/TestNotifications.ts"
import { commitChanges, sampleChange } from "../../server/test/stream/IndexChanges.ts"
import { accessOf } from "../../service/test/access/TestAccess.ts"
import { sampleAddress } from "../../service/test/Samples.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { DESKTOP, openPage, PHONE, seriousFaults, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the screen of developers in a browser")

const KEY = "an-admin-key-of-more-than-32-characters"
const does = <A>(work: () => Promise<A>) => Effect.promise(work)
const seen = (page: Page, selector: string) => does(() => page.waitForSelector(selector))

/** A way to the service whose connections can be cut; new ones are taken again. */
const way = Effect.gen(function* () {
  const { url } = yield* TestServer
  const sockets = new Set<Socket>()
  const server = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const made = createServer((inbound) => {
            const outbound = connect(Number(new URL(url).port), "127.0.0.1")
            for (const socket of [inbound, outbound]) sockets.add(socket)
            inbound.on("error", () => outbound.destroy()).pipe(outbound)
            outbound.on("error", () => inbound.destroy()).pipe(inbound)
          }).listen(0, "127.0.0.1", () => resolve(made))
        }),
    ),
    (made) =>
      Effect.sync(() => {
        made.close()
        for (const socket of sockets) socket.destroy()
      }),
  )
  const cut = Effect.sync(() => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut }
})

const opened = (url: string, look?: Parameters<typeof openPage>[2]) =>
  Effect.acquireRelease(
    Effect.promise(() => openPage(browser(), `${url}/console#/developers`, look)),
    ({ page }) => Effect.promise(() => page.context().close()),
  )

const access = accessOf({ writeAuth: ["api-key"], adminKeys: [Redacted.make(KEY)] })

layer(TestServer.layer({ access, notifications: OPTIONS }), { excludeTestServices: true })("A developer", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("sees each event once, also when the connection was cut between them", () =>
    Effect.gen(function* () {
      const { cut, url } = yield* way
      const { faults, page } = yield* opened(url)
      const mint = sampleAddress()
      const trade = (quoteAmount: number) =>
        commitChanges(sampleChange("trade", mint, { quoteAmount: String(quoteAmount) }))
      const amounts = does(() =>
        page.evaluate(`[...document.querySelectorAll(".events pre")]
          .map(({ textContent }) => JSON.parse(textContent))
          .filter(({ data }) => data.mintAddress === ${JSON.stringify(mint)})
          .map(({ data }) => Number(data.quoteAmount))`),
      )
      yield* seen(page, ".live span")
      yield* trade(1)
      yield* seen(page, `.events code >> text=${mint}`)
      yield* cut
      for (const amount of [2, 3, 4]) yield* trade(amount)
      yield* does(() => page.locator(".events > li").nth(3).waitFor())
      yield* seen(page, ".live span")
      assert.deepStrictEqual(yield* amounts, [4, 3, 2, 1])
      // Paused, the list stays; going on shows what has arrived.
      yield* does(() => page.click("text=Pause"))
      yield* trade(5)
      yield* seen(page, "text=Go on: 1 waiting")
      assert.deepStrictEqual(yield* amounts, [4, 3, 2, 1])
      yield* does(() => page.click("text=Go on"))
      yield* does(() => page.locator(".events > li").nth(4).waitFor())
      assert.deepStrictEqual(yield* amounts, [5, 4, 3, 2, 1])
      // A filter is another subscription.
      yield* does(() => page.fill("[name=mints]", "nobody"))
      yield* does(() => page.click("text=Follow these"))
      yield* seen(page, "text=Not an address: nobody")
      yield* does(() => page.fill("[name=mints]", mint))
      yield* does(() => page.click("text=Follow these"))
      yield* seen(page, "text=No event has arrived yet")
      yield* seen(page, ".live span")
      yield* commitChanges(sampleChange("trade", sampleAddress()))
      yield* trade(6)
      yield* seen(page, ".events li")
      assert.deepStrictEqual(yield* amounts, [6])
      assert.include(yield* does(() => page.innerText("main")), "With curl")
      // Chromium itself says that the connection was lost.
      assert.deepStrictEqual(
        faults.filter((fault) => !fault.includes("net::ERR_")),
        [],
      )
    }).pipe(Effect.scoped))

  test("sends a test event, and verifies what its receiver got", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const receiver = yield* NotificationReceiver.make
      const { secret } = yield* endpoint(receiver.url, {}, { authorization: `Bearer ${KEY}` })
      const { page } = yield* opened(url)
      yield* seen(page, "text=to send a test event from here")
      yield* does(() => page.click("nav >> text=Operate"))
      yield* does(() => page.fill(".key input", KEY))
      yield* does(() => page.keyboard.press("Enter"))
      yield* seen(page, "#audit")
      yield* does(() => page.click("nav >> text=Developers"))
      yield* does(() => page.click("text=Send a test event"))
      yield* seen(page, "text=It is due")
      yield* sendAll
      yield* seen(page, "text=Delivered: the endpoint answered 204")
      const { body, headers } = receiver.received.at(-1)!
      const fields = {
        ...{ secret, id: headers["webhook-id"], timestamp: headers["webhook-timestamp"] },
        ...{ signatures: headers["webhook-signature"], body },
      }
      for (const [name, value] of Object.entries(fields)) yield* does(() => page.fill(`[name=${name}]`, String(value)))
      yield* does(() => page.click("text=Verify"))
      yield* seen(page, "text=Signed with this secret.")
      yield* does(() => page.fill("[name=body]", `${String(body)} `))
      yield* does(() => page.click("text=Verify"))
      yield* seen(page, "text=Not verified")
      const stored = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])"
      assert.notInclude(yield* does(() => page.evaluate(stored)), secret)
    }).pipe(Effect.scoped))

  test("finds errors by code and requests by their id, in both themes and on a phone", () =>
    Effect.gen(function* () {
      const { request, url } = yield* TestServer
      const headers = { authorization: `Bearer ${KEY}` }
      const written = yield* request("/api/system/rpc/primary/cordon", { method: "DELETE", headers })
      for (const look of [
        { colorScheme: "light", viewport: DESKTOP },
        { colorScheme: "dark", viewport: PHONE },
      ] as const) {
        const { faults, page } = yield* opened(url, look)
        yield* does(() => page.click("summary >> text=Codes with"))
        yield* does(() => page.fill("input[type=search]", "not_found"))
        yield* seen(page, "li code >> text=not_found")
        yield* does(() => page.fill("input[type=search]", "no code has this"))
        yield* seen(page, "text=No code has these words")
        yield* does(() => page.fill("input[type=search]", "404"))
        yield* does(() => page.fill("[name=request]", "no id"))
        yield* does(() => page.click("button >> text=Find"))
        yield* seen(page, "text=That is no request id")
        assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [], JSON.stringify(look))
        assert.isTrue(yield* does(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth")))
        yield* does(() => page.click("nav >> text=Operate"))
        yield* does(() => page.fill(".key input", KEY))
        yield* does(() => page.keyboard.press("Enter"))
        yield* seen(page, "#audit")
        yield* does(() => page.click("nav >> text=Developers"))
        yield* does(() => page.fill("[name=request]", String(written.headers.get("x-request-id"))))
        yield* does(() => page.click("button >> text=Find"))
        yield* seen(page, "text=DELETE /api/system/rpc/:endpoint/cordon, answered 200")
        // Chromium itself says what was answered with 401 before the key was there.
        assert.deepStrictEqual(
          faults.filter((fault) => !/\b401\b/.test(fault)),
          [],
        )
      }
    }).pipe(Effect.scoped))
})
