import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted, References } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../service/test/TestServer.ts"
import { signed } from "./IntentsQuoteMaker.ts"
import { TestBridge } from "./TestBridge.ts"

/** A key that can be written in several ways. */
const KEY = "CANARY/key+of=the~swap.service-1"
const WAYS: ReadonlyArray<readonly [how: string, text: string]> = [
  ["as it is", KEY],
  ["in a URL", encodeURIComponent(KEY)],
  ["in a URL, in small letters", encodeURIComponent(KEY).replaceAll(/%../g, (part) => part.toLowerCase())],
  ["in JSON, escaped", KEY.replaceAll("/", "\\/")],
  ["in JSON, by its codes", [...KEY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
]

const lines: Array<string> = []
const logged = Logger.layer([
  Logger.make(({ cause, fiber, message }) => {
    lines.push(`${String(message)} ${String(cause)} ${JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))}`)
  }),
])

/** Rows of all tables that contain `text`. */
const rowsWith = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const found = yield* Effect.forEach(
    tables,
    ({ name }) =>
      sql`select ${name}::text as name, t::text as row from ${sql(name)} t where strpos(t::text, ${text}) > 0`,
  )
  return found.flat()
})

/** A JSON body that contains our key in the given spelling, although JSON would write it differently. */
const asWritten = (body: unknown, text: string) => JSON.stringify(body).replaceAll("MARK", text)

layer(TestBridge.layer({ apiKey: Redacted.make(KEY), standInKey: KEY, observation: Layer.mergeAll(logged) }))(
  "Our key",
  (it) => {
    it.effect("is never stored, answered or logged, however the swap service writes it", () =>
      Effect.gen(function* () {
        const { pass, quote, read, report, standIn, swap } = yield* TestBridge
        const { request } = yield* TestServer
        const answers: Array<string> = []
        const kept = Effect.fnUntraced(function* (answer: Effect.Effect<{ readonly body: unknown }>) {
          answers.push(JSON.stringify((yield* answer).body))
        })
        for (const [how, text] of WAYS) {
          standIn.trouble(
            { status: 400, text: asWritten({ message: `refused for MARK`, correlationId: "c-MARK" }, text) },
            { call: "quote", times: 1 },
          )
          yield* kept(quote({ dry: false }))
          const { depositAddress, id } = yield* swap()
          standIn.trouble(
            { status: 400, text: asWritten({ message: `refused for MARK` }, text) },
            { call: "submit", times: 1 },
          )
          yield* report(depositAddress, "a".repeat(64))
          const details = {
            refundReason: "for MARK",
            depositedAmount: "5",
            refundedAmount: "5",
            intentHashes: ["MARK"],
          }
          const body = { status: "REFUNDED", correlationId: "MARK", note: "MARK", swapDetails: details }
          standIn.trouble({ status: 200, text: asWritten(body, text) }, { call: "status", address: depositAddress })
          yield* pass(5)
          const seen = yield* read(id)
          standIn.recover()
          assert.deepInclude(seen, { substatus: "refunded", refundReason: "for <redacted>" }, how)
          assert.include(seen.deposits[0].lastError ?? "<redacted>", "<redacted>", how)
          yield* kept(request(`/api/bridge/swaps/${id}`))
          // An unreadable answer is stored unchanged.
          const odd = yield* swap()
          for (let at = 0; at < 3; at++) {
            const note = { status: 200, text: asWritten({ status: [7], note: "odd MARK" }, text) }
            standIn.trouble(note, { call: "status", address: odd.depositAddress })
            yield* request(`/api/bridge/status/${odd.depositAddress}`)
            yield* pass(120)
          }
          yield* kept(request(`/api/bridge/swaps/${odd.id}`))
          standIn.recover()
        }
        const all = [...answers, ...lines].join("\n")
        for (const [how, text] of [...WAYS, ["in part", "CANARY"] as const]) {
          assert.notInclude(all, text, how)
          assert.deepStrictEqual(yield* rowsWith(text), [], how)
        }
        assert.include(all, "refused for <redacted>")
        assert.isAbove((yield* rowsWith("odd <redacted>")).length, 0)
      }),
    )

    it.effect("makes a quote untrusted where it is in the signed part, and is removed elsewhere", () =>
      Effect.gen(function* () {
        const { quote, standIn } = yield* TestBridge
        const quoted = Effect.fnUntraced(function* (change: (quote: object) => object, correlationId: string) {
          yield* quote()
          const { asked } = standIn.calls("quote").at(-1)!
          const answer = yield* Effect.promise(() =>
            fetch(`${standIn.url}/v0/quote`, {
              method: "POST",
              headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
              body: JSON.stringify({ ...asked, dry: false }),
            }).then((response) => response.json() as Promise<{ readonly quote: object }>),
          )
          const body = signed(standIn.key, { ...answer, quote: change(answer.quote), correlationId })
          standIn.trouble({ status: 201, body }, { call: "quote", times: 1 })
          return yield* quote({ dry: false })
        })
        const inMemo = yield* quoted((made) => ({ ...made, depositMemo: `memo ${KEY}` }), "plain")
        assert.deepStrictEqual([inMemo.status, inMemo.body.code], [502, "quote_not_trusted"])
        const inId = yield* quoted((made) => made, `id ${KEY}`)
        assert.strictEqual(inId.status, 200, JSON.stringify(inId.body))
        assert.strictEqual(inId.body.data.correlationId, "id <redacted>")
        assert.deepStrictEqual(yield* rowsWith("CANARY"), [])
      }),
    )
  },
)
