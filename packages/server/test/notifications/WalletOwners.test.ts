import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { SigningWallet } from "../../../client/src/WalletHeaders.ts"
import { accessOf } from "../../../service/test/access/TestAccess.ts"
import { authorization, newWallet } from "../../../service/test/access/TestWallet.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { SqlClient } from "effect/sql/SqlClient"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { followAll, insertEndpoints, parts, serverOf } from "./TestNotifications.ts"

const HOOK = { url: "http://127.0.0.1:9/hook", types: ["trade"] }
const SERVICE = { url: "https://api.example", network: "localnet" }
const admin = newWallet()

/** A request below `/api/notifications` that a wallet signed. */
const ask = Effect.fnUntraced(function* (wallet: SigningWallet, method: string, path: string, json?: object) {
  const { request } = yield* TestServer
  const whole = `/api/notifications${path}`
  const body = json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json))
  const headers = { authorization: yield* Effect.promise(() => authorization(SERVICE, wallet, method, whole, body)) }
  return yield* request(whole, { method, headers, ...(json && { json }) })
})

const server = Layer.suspend(() =>
  serverOf(
    { endpointsMax: 4, endpointsPerOwnerMax: 2, backlogMax: 6 },
    { access: accessOf({ writeAuth: ["wallet"], adminWallets: [admin.address] }) },
  ),
)

layer(server, { excludeTestServices: true })("With signatures of wallets, an endpoint", (it) => {
  it.effect("is its wallet's, and every wallet has its own places", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [newWallet(), newWallet()]
      const created = yield* ask(mine, "POST", "/endpoints", HOOK)
      assert.strictEqual(created.status, 201)
      const { id, owner } = created.body.data
      assert.strictEqual(owner, `wallet:${mine.address}`)
      assert.strictEqual((yield* ask(mine, "GET", `/endpoints/${id}`)).body.data.id, id)
      for (const [method, json] of [["GET"], ["PATCH", { enabled: false }], ["DELETE"]] as ReadonlyArray<
        readonly [string, object?]
      >)
        assert.strictEqual((yield* ask(theirs, method, `/endpoints/${id}`, json)).body.code, "not_found")
      // Five wallets with all that they may have: more than the service has places for API keys and admins.
      for (const wallet of Array.from({ length: 5 }, newWallet)) {
        for (const status of [201, 201, 409])
          assert.strictEqual((yield* ask(wallet, "POST", "/endpoints", HOOK)).status, status)
      }
      assert.strictEqual((yield* ask(theirs, "POST", "/endpoints", HOOK)).status, 201)
      // Of an admin every endpoint is its own to manage.
      assert.lengthOf((yield* ask(admin, "GET", "/endpoints")).body.data, 12)
      assert.strictEqual((yield* ask(admin, "DELETE", `/endpoints/${id}`)).status, 200)
    }),
  )

  it.effect("that is disabled takes no place, until it is enabled; an owner has twice as many at most", () =>
    Effect.gen(function* () {
      const wallet = newWallet()
      const create = ask(wallet, "POST", "/endpoints", HOOK)
      const enable = (id: string, enabled: boolean) => ask(wallet, "PATCH", `/endpoints/${id}`, { enabled })
      const ids = [(yield* create).body.data.id, (yield* create).body.data.id]
      assert.deepStrictEqual((yield* create).body.details, { resource: "endpoints", limit: 2 })
      for (const id of ids) assert.strictEqual((yield* enable(id, false)).status, 200)
      const others = [(yield* create).body.data.id, (yield* create).body.data.id]
      const refused = yield* enable(ids[0], true)
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "too_many"])
      assert.strictEqual((yield* enable(others[0], false)).status, 200)
      assert.deepStrictEqual((yield* create).body.details, { resource: "endpoints", limit: 4 })
      assert.strictEqual((yield* enable(ids[0], true)).status, 200)
      assert.strictEqual((yield* ask(wallet, "DELETE", `/endpoints/${others[1]}`)).status, 200)
      assert.strictEqual((yield* create).status, 201)
    }),
  )

  it.effect("shares what may be pending, and the places of delivery, with those of other wallets", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from notification_endpoints`
      yield* insertEndpoints(100, "'wallet:' || n")
      const [ofKey] = yield* insertEndpoints(1, "'key:' || n")
      yield* sql`update server_progress set change_id = 0 where name = 'notifications'`
      yield* commitChanges(...Array.from({ length: 8 }, () => sampleChange("trade", sampleAddress())))
      yield* followAll
      const counts = yield* sql<{ readonly isWallet: boolean; readonly pending: bigint; readonly skipped: bigint }>`
        select e.owner like 'wallet:%' as is_wallet, e.skipped_messages as skipped,
          (select count(*) from notification_messages m where m.endpoint_id = e.id and m.type = 'trade') as pending
        from notification_endpoints e group by e.id`
      for (const { isWallet, pending, skipped } of counts)
        // Half of what four endpoints may have, for 100, and never nothing.
        assert.deepStrictEqual([Number(pending), Number(skipped)], isWallet ? [1, 7] : [6, 2])

      const { dueEndpoints } = yield* parts
      const places = { all: 20, wallets: 10, failing: 3 }
      const first = yield* dueEndpoints([], places)
      // What belongs to no wallet comes first, and wallets never have all places.
      assert.strictEqual(first[0], ofKey!.id)
      assert.lengthOf(first, 8)
      assert.deepStrictEqual(yield* dueEndpoints(first, places), [])
      yield* sql`update notification_endpoints set failing_since = now() where id = any(${first.slice(1)}::uuid[])`
      // Those that failed meanwhile hold no place of those that have not.
      assert.lengthOf(yield* dueEndpoints(first, places), 7)
      assert.lengthOf(yield* dueEndpoints([], places), 11)
    }),
  )
})
