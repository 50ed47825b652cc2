import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { signing, type Wallet } from "../../service/test/access/SigningPage.ts"
import { accessOf } from "../../service/test/access/TestAccess.ts"
import { newWallet } from "../../service/test/access/TestWallet.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { serverOf } from "./TestNotifications.ts"

const HOOK = { url: "http://127.0.0.1:9/hook", types: ["trade"] }
const SERVICE = { url: "https://api.example", network: "localnet" }
const admin = newWallet()

/** A request below `/api/notifications` that a wallet signed. */
const ask = Effect.fnUntraced(function* (wallet: Wallet, method: string, path: string, json?: object) {
  const { request } = yield* TestServer
  const { authorization } = yield* signing
  const whole = `/api/notifications${path}`
  const body = json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json))
  const headers = { authorization: yield* Effect.promise(() => authorization(SERVICE, wallet, method, whole, body)) }
  return yield* request(whole, { method, headers, ...(json && { json }) })
})

const server = Layer.suspend(() =>
  serverOf({ endpointsMax: 4 }, { access: accessOf({ writeAuth: ["wallet"], adminWallets: [admin.address] }) }),
)

layer(server, { excludeTestServices: true })("With signatures of wallets, an endpoint", (it) => {
  it.effect("is its wallet's; and wallets together have at most half of all", () =>
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
        assert.strictEqual((yield* ask(theirs, method, `/endpoints/${id}`, json)).body.code, "endpoint_not_found")
      assert.strictEqual((yield* ask(theirs, "POST", "/endpoints", HOOK)).status, 201)
      const refused = yield* ask(newWallet(), "POST", "/endpoints", HOOK)
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "too_many_endpoints"])
      assert.deepStrictEqual(refused.body.details, { limit: 2, scope: "wallets" })
      // Of an admin every endpoint is its own to manage.
      assert.lengthOf((yield* ask(admin, "GET", "/endpoints")).body.data, 2)
      assert.strictEqual((yield* ask(admin, "DELETE", `/endpoints/${id}`)).status, 200)
    }),
  )
})
