import { connect, createServer, type Server, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { LocalChain } from "../../chain/src/localnet/LocalChain.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { FollowCordonsLayer } from "../../indexer/src/cordons/FollowCordons.ts"
import { endpoint, followAll, OPTIONS } from "../../server/test/notifications/TestNotifications.ts"
import { commitChanges, sampleChange } from "../../server/test/stream/IndexChanges.ts"
import { accessOf } from "../../service/test/access/TestAccess.ts"
import { sampleAddress } from "../../service/test/Samples.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { openPage, PHONE, seriousFaults, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("Operate in a browser")

const KEY = "an-admin-key-of-more-than-32-characters"

/** What is between the service and its chain. */
class Way extends Context.Service<Way, { readonly url: string; readonly cut: Effect.Effect<void> }>()("test/Way") {
  static readonly make = (chainUrl: string) =>
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ readonly server: Server; readonly sockets: Set<Socket> }>((resolve) => {
            const sockets = new Set<Socket>()
            const server = createServer((inbound) => {
              const outbound = connect(Number(new URL(chainUrl).port), "127.0.0.1")
              for (const socket of [inbound, outbound]) sockets.add(socket)
              inbound.on("error", () => outbound.destroy()).pipe(outbound)
              outbound.on("error", () => inbound.destroy()).pipe(inbound)
            }).listen(0, "127.0.0.1", () => resolve({ server, sockets }))
          }),
      ),
      (made) => Effect.sync(() => end(made)),
    ).pipe(
      Effect.map((made) => ({
        url: `http://127.0.0.1:${(made.server.address() as AddressInfo).port}`,
        cut: Effect.sync(() => end(made)),
      })),
    )
}

const end = ({ server, sockets }: { readonly server: Server; readonly sockets: Set<Socket> }): void => {
  server.close()
  for (const socket of sockets) socket.destroy()
}

/** A service with operators, and two endpoints of one chain, of which the first can be cut off. */
const twoEndpoints = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* LocalChain
    const [primary, backup] = [yield* Way.make(url), yield* Way.make(url)]
    const access = accessOf({ writeAuth: ["api-key"], adminKeys: [Redacted.make(KEY)] })
    const server = TestServer.layer({ access, notifications: OPTIONS, rpcUrls: [primary.url, backup.url] })
    return Layer.merge(Layer.provideMerge(FollowCordonsLayer, server), Layer.succeed(Way, primary))
  }),
).pipe(Layer.provide(LocalChain.layer({ stage: "mid" })))

const opened = (look?: Parameters<typeof openPage>[2]) =>
  Effect.acquireRelease(
    Effect.flatMap(TestServer, ({ url }) => Effect.promise(() => openPage(browser(), `${url}/console#/operate`, look))),
    ({ page }) => Effect.promise(() => page.context().close()),
  ).pipe(
    Effect.tap(({ page }) =>
      Effect.promise(async () => {
        await page.fill(".key input", KEY)
        await page.keyboard.press("Enter")
        await page.waitForSelector("#audit")
      }),
    ),
  )

const does = <A>(work: () => Promise<A>) => Effect.promise(work)
const seen = (page: Page, selector: string) => does(() => page.waitForSelector(selector))
// Chromium itself says what was answered with 401 before the key was there.
const own = (faults: ReadonlyArray<string>) => faults.filter((fault) => !fault.includes("401"))

layer(twoEndpoints, { excludeTestServices: true })("An operator", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("takes an RPC endpoint out of use with a reason, and puts it back; the audit log has both", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      const row = `tr:has(th:text-is("backup"))`
      yield* does(() => page.click(`${row} button:text-is("Cordon")`))
      yield* does(() => page.click("dialog >> text=Cancel"))
      yield* does(() => page.click(`${row} button:text-is("Cordon")`))
      // Without a reason nothing is sent.
      yield* does(() => page.click("dialog button >> text=Cordon backup"))
      assert.isTrue(yield* does(() => page.evaluate("document.querySelector('dialog input').validity.valueMissing")))
      yield* does(() => page.fill("dialog input", "minutes behind"))
      yield* does(() => page.keyboard.press("Enter"))
      yield* does(() => page.click("dialog >> text=Close"))
      yield* seen(page, `${row} >> text=cordoned`)
      yield* seen(page, "text=RPC endpoint backup is cordoned: minutes behind")
      yield* seen(page, "section:has(#audit) >> text=/PUT .*cordon.*minutes behind/")
      yield* does(() => page.click(`${row} button:text-is("Uncordon")`))
      yield* does(() => page.click("dialog button >> text=Uncordon backup"))
      yield* does(() => page.click("dialog >> text=Close"))
      yield* seen(page, `${row} >> text=in use`)
      yield* seen(page, "section:has(#audit) >> text=/DELETE .*cordon/")
      yield* seen(page, "section:has(#rpc) >> text=backup was cordoned: minutes behind")
      assert.deepStrictEqual(own(faults), [])
    }).pipe(Effect.scoped))

  test("has messages that failed delivered again, one or all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* endpoint("http://127.0.0.1:9/hook", {}, { authorization: `Bearer ${KEY}` })
      for (let count = 0; count < 3; count++) yield* commitChanges(sampleChange("trade", sampleAddress()))
      yield* followAll
      yield* sql`update notification_messages set state = 'failed', settled_at = now(), attempts = 10, last_status = 503`
      const pending = Effect.map(
        sql`select from notification_messages where endpoint_id = ${id}::uuid and state = 'pending'`,
        ({ length }) => length,
      )
      const { faults, page } = yield* opened()
      yield* seen(page, "text=answered 503 after 10 attempts")
      yield* does(() => page.click("section:has(#outbox) li li button >> nth=0"))
      yield* does(() => page.click("dialog button >> text=Deliver again"))
      yield* does(() => page.click("dialog >> text=Close"))
      assert.strictEqual(yield* pending, 1)
      yield* does(() => page.click("text=Deliver all again"))
      yield* does(() => page.click("dialog button >> text=Deliver all again"))
      yield* seen(page, "dialog >> text=2 messages are due now")
      yield* does(() => page.click("dialog >> text=Close"))
      yield* seen(page, "text=No message failed")
      assert.strictEqual(yield* pending, 3)
      assert.deepStrictEqual(own(faults), [])
    }).pipe(Effect.scoped))

  test("asks for a backfill and a replay, and cancels them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { faults, page } = yield* opened()
      yield* seen(page, "text=Nothing was asked for yet")
      yield* does(() => page.click('button:text-is("Prove slots")'))
      const [first, last, reason] = [0, 1, 2].map((at) => `dialog input >> nth=${at}`) as [string, string, string]
      yield* does(() => page.fill(first, "300000020"))
      yield* does(() => page.fill(last, "300000002"))
      yield* does(() => page.fill(reason, "a gap"))
      yield* does(() => page.click('dialog button:text-is("Prove slots")'))
      yield* seen(page, "dialog [role=alert] >> text=fromSlot")
      // What was typed is still there.
      assert.strictEqual(yield* does(() => page.inputValue(reason)), "a gap")
      yield* does(() => page.fill(last, "300000029"))
      yield* does(() => page.click('dialog button:text-is("Prove slots")'))
      yield* seen(page, "dialog >> text=Job 1 is queued")
      yield* does(() => page.click("dialog >> text=Close"))
      const backfill = ".jobs li:has-text('backfill 300,000,020 to 300,000,029')"
      yield* seen(page, `${backfill} >> text=/queued.*“a gap”/`)
      yield* does(() => page.click('button:text-is("Replay")'))
      yield* does(() => page.fill("dialog input", "a new version"))
      yield* does(() => page.click('dialog button:text-is("Replay")'))
      yield* does(() => page.click("dialog >> text=Close"))
      yield* seen(page, ".jobs li:has-text('replay') >> text=queued")
      yield* does(() => page.click(`${backfill} button`))
      yield* does(() => page.click('dialog button:text-is("Cancel the job")'))
      yield* seen(page, "dialog >> text=Job 1 is cancelled")
      yield* does(() => page.click("dialog >> text=Close"))
      yield* seen(page, `${backfill} >> text=cancelled`)
      yield* sql`update indexer_jobs set state = 'running', done = 5, total = 20, detail = 'no <b>answer</b>' where id = 2`
      yield* seen(page, ".jobs >> text=running, 5 of 20")
      yield* seen(page, ".jobs >> text=no <b>answer</b>")
      const jobs = yield* sql`select kind, state from indexer_jobs order by id`
      assert.deepStrictEqual(jobs, [
        { kind: "backfill", state: "cancelled" },
        { kind: "replay", state: "running" },
      ])
      // Chromium itself says what was refused.
      assert.deepStrictEqual(
        own(faults).filter((fault) => !fault.includes("400")),
        [],
      )
    }).pipe(Effect.scoped))

  test("sees how many requests there are, and which fail", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { faults, page } = yield* opened()
      yield* seen(page, "text=Rates are shown after the second reading")
      for (let count = 0; count < 5; count++) yield* request("/api/tokens?limit=1")
      const row = 'section:has(#traffic) tr:has(th:text-is("GET /api/tokens"))'
      yield* seen(page, `${row} td:text-matches("/s$")`)
      assert.strictEqual(yield* does(() => page.innerText(`${row} >> td >> nth=1`)), "0")
      yield* seen(page, "section:has(#traffic) svg[aria-label^='Requests a second']")
      assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [])
      assert.deepStrictEqual(own(faults), [])
    }).pipe(Effect.scoped))

  test("reads what could not be used, and why", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
        values (7, 0, 300000007, 'the-signature', 'no block time', 'hash')`
      yield* sql`
        insert into inbox_poison (digest, received_at, source, reason, bytes)
        values (sha256('a'), now(), 'webhook', 'no JSON', '<script>throw 1</script>')`
      const { faults, page } = yield* opened()
      const section = "section:has(#unusable)"
      yield* does(() => page.click(`${section} summary:has-text("no block time: slot 300,000,007, the-signature")`))
      yield* seen(page, `${section} >> text=It was deleted from the log.`)
      yield* does(() => page.click(`${section} summary:has-text("webhook: no JSON, 24 bytes")`))
      yield* seen(page, `${section} >> text=<script>throw 1</script>`)
      assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [])
      assert.deepStrictEqual(own(faults), [])
    }).pipe(Effect.scoped))

  test("uses all of it in both themes and on a phone", () =>
    Effect.gen(function* () {
      for (const look of [{ colorScheme: "dark" }, { colorScheme: "light", viewport: PHONE }] as const) {
        const { faults, page } = yield* opened(look)
        yield* seen(page, "section:has(#audit) :is(li, p)")
        assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [], JSON.stringify(look))
        assert.isTrue(yield* does(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth")))
        yield* does(() => page.click(`tr:has(th:text-is("backup")) button:text-is("Cordon")`))
        assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [], JSON.stringify(look))
        yield* does(() => page.keyboard.press("Escape"))
        yield* does(() => page.waitForSelector("dialog", { state: "detached" }))
        assert.deepStrictEqual(own(faults), [])
      }
    }).pipe(Effect.scoped))

  // Last: the way stays cut.
  test("sees the primary fail, calls go to the backup, and what to do", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      yield* seen(page, `tr:has(th:text-is("primary")) >> text=in use`)
      yield* Effect.flatMap(Way, ({ cut }) => cut)
      yield* seen(page, "section:has(#rpc) >> text=primary went out of use: open")
      yield* seen(page, "text=RPC endpoint primary is open")
      assert.match(yield* does(() => page.innerText(`tr:has(th:text-is("backup"))`)), /in use/)
      const { request } = yield* TestServer
      assert.strictEqual((yield* request("/readyz")).status, 200)
      assert.deepStrictEqual(own(faults), [])
    }).pipe(Effect.scoped))
})
