import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SigningWallet as Wallet } from "../../../client/src/WalletHeaders.ts"
import { formOf } from "../../../ipfs/test/images/UploadForms.ts"
import { draftOf, launch, launchConfig } from "../../../server/test/tokens/ChainLaunches.ts"
import { newKey } from "../http/PostRequests.ts"
import { noisePng } from "../NoisePng.ts"
import { tokenDraft, transactionDraft } from "../Samples.ts"
import { type Answer, TestServer } from "../TestServer.ts"
import { accessOf, auditOf } from "./TestAccess.ts"
import { authorization, newWallet } from "./TestWallet.ts"

const admin = newWallet()
const SERVICE = { url: "https://api.example", network: "localnet" }
const access = accessOf({ writeAuth: ["wallet"], adminWallets: [admin.address] })
const server = Layer.unwrap(Effect.sync(() => TestServer.layer({ access })))

interface Write {
  readonly method?: string
  readonly path: string
  readonly json?: object
}

const bytesOf = ({ json }: Write) => (json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json)))

/** The headers of a write that a wallet signed as docs/access.md says, for the service or another one. */
const signed = Effect.fnUntraced(function* (wallet: Wallet, write: Write, service = SERVICE) {
  const { method = write.json === undefined ? "DELETE" : "POST", path } = write
  return {
    authorization: yield* Effect.promise(() => authorization(service, wallet, method, path, bytesOf(write))),
  }
})

const send = Effect.fnUntraced(function* ({ json, method, path }: Write, headers: Readonly<Record<string, string>>) {
  const { request } = yield* TestServer
  return yield* request(path, { method: method ?? (json === undefined ? "DELETE" : "POST"), headers, json })
})

/** Signs and sends a write. */
const write = (wallet: Wallet, what: Write) => Effect.flatMap(signed(wallet, what), (headers) => send(what, headers))

const codeOf = ({ body, status }: Answer) => [status, body.code]
const FORBIDDEN = [403, "forbidden"]
const UNAUTHENTICATED = [401, "unauthenticated"]

const launchedBy = Effect.fnUntraced(function* ({ address }: Wallet) {
  return yield* launch({ config: yield* launchConfig(), creator: address })
})

layer(server, { excludeTestServices: true })("With WRITE_AUTH=wallet", (it) => {
  it.effect("no stranger registers a mint, changes or deletes a token; its creator does", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [owner, stranger] = [newWallet(), newWallet()]
      const one = yield* launchedBy(owner)
      const phishing = { path: "/api/tokens", json: draftOf(one, { website: "https://phishing.example" }) }
      assert.deepStrictEqual(codeOf(yield* send(phishing, {})), UNAUTHENTICATED)
      assert.deepStrictEqual(codeOf(yield* write(stranger, phishing)), FORBIDDEN)
      const claimed = { ...phishing, json: { ...phishing.json, owner: stranger.address } }
      assert.deepStrictEqual(codeOf(yield* write(stranger, claimed)), FORBIDDEN)
      const unknown = { path: "/api/tokens", json: tokenDraft({ owner: stranger.address }) }
      assert.deepStrictEqual(codeOf(yield* write(stranger, unknown)), FORBIDDEN, "a mint that nobody launched yet")
      assert.strictEqual((yield* request(`/api/tokens/mint/${one.baseMint}`)).status, 404)

      const created = yield* write(owner, { path: "/api/tokens", json: draftOf(one) })
      assert.strictEqual(created.status, 201)
      const path = `/api/tokens/${created.body.data.id}`
      const change = { method: "PATCH", path, json: { website: "https://phishing.example" } }
      assert.deepStrictEqual(codeOf(yield* write(stranger, change)), FORBIDDEN)
      assert.deepStrictEqual(codeOf(yield* write(stranger, { path })), FORBIDDEN)
      assert.deepInclude((yield* request(path)).body.data.metadata, { website: "" })
      assert.strictEqual((yield* write(owner, { ...change, json: { description: "Mine" } })).status, 200)

      // The creator on chain counts, also before the registry follows it.
      yield* (yield* SqlClient)`update dbc_pools set creator = ${stranger.address} where pool = ${one.pool}`
      assert.deepStrictEqual(codeOf(yield* write(owner, { path })), FORBIDDEN)
      assert.strictEqual((yield* write(stranger, { path })).status, 200)
      assert.deepStrictEqual(yield* auditOf(owner.address), [
        { method: "POST", route: "/api/tokens", subject: one.baseMint, status: 201 },
        { method: "PATCH", route: "/api/tokens/:id", subject: created.body.data.id, status: 200 },
        { method: "DELETE", route: "/api/tokens/:id", subject: created.body.data.id, status: 403 },
      ])
    }),
  )

  it.effect(
    "no stranger writes or fails a record, builds a launch of another wallet, or whitelists; admins whitelist",
    () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const [user, stranger] = [newWallet(), newWallet()]
        const record = { path: "/api/transactions", json: transactionDraft({ userAddress: user.address }) }
        assert.deepStrictEqual(codeOf(yield* write(stranger, record)), FORBIDDEN)
        const { id } = (yield* write(user, record)).body.transaction
        const failing = { method: "PATCH", path: `/api/transactions/${id}/status`, json: { status: "failed" } }
        assert.deepStrictEqual(codeOf(yield* write(stranger, failing)), FORBIDDEN)
        assert.deepStrictEqual(codeOf(yield* write(stranger, { path: `/api/transactions/${id}` })), FORBIDDEN)
        assert.strictEqual((yield* request(`/api/transactions/${id}`)).body.transaction.status, "pending")
        assert.strictEqual((yield* write(user, failing)).body.transaction.status, "failed")

        const metadata = { name: "N", symbol: "S", description: "d", imageUri: "https://example.com/i.png" }
        const building = { path: "/api/launch/dbc-config", json: { metadata, signer: user.address } }
        assert.deepStrictEqual(codeOf(yield* write(stranger, building)), FORBIDDEN)
        assert.strictEqual((yield* write(user, building)).status, 200)

        const one = yield* launchedBy(user)
        yield* write(user, { path: "/api/tokens", json: draftOf(one) })
        for (const path of ["/api/launch/unwhitelist", "/api/launch/whitelist"]) {
          const listing = { path, json: { tokenAddress: one.baseMint } }
          assert.deepStrictEqual(codeOf(yield* write(user, listing)), FORBIDDEN)
          assert.strictEqual((yield* write(admin, listing)).status, 200)
        }
        const reading = { method: "GET", path: "/api/system/rpc" }
        assert.deepStrictEqual(codeOf(yield* write(user, reading)), FORBIDDEN)
        assert.strictEqual((yield* write(admin, reading)).status, 200)
      }),
  )

  it.effect("a signature is of one request, service, cluster and wallet, and is accepted once", () =>
    Effect.gen(function* () {
      const [user, other] = [newWallet(), newWallet()]
      const recordOf = (wallet: Wallet) => ({
        path: "/api/transactions",
        json: transactionDraft({ userAddress: wallet.address }),
      })
      const record = recordOf(user)
      const headers = yield* signed(user, record)
      const elsewhere = [
        { ...record, json: { ...record.json, amountIn: 2 } },
        { ...record, path: "/api/transactions?x=1" },
        { ...record, path: "/api/launch/swap" },
        { ...record, method: "DELETE", path: "/api/transactions/00000000-0000-7000-8000-000000000000" },
      ]
      for (const one of elsewhere.slice(1)) assert.deepStrictEqual(codeOf(yield* send(one, headers)), UNAUTHENTICATED)
      const forOthers = [
        { ...SERVICE, url: "https://phishing.example" },
        { ...SERVICE, url: "http://api.example" },
        { ...SERVICE, network: "mainnet" },
      ]
      for (const service of forOthers) {
        const refused = yield* send(record, yield* signed(user, record, service))
        assert.deepStrictEqual(codeOf(refused), UNAUTHENTICATED)
        assert.include(
          refused.body.details.expectedMessage,
          `URI: ${SERVICE.url}\nVersion: 1\nChain ID: ${SERVICE.network}`,
        )
      }
      const impostor = { ...other, address: user.address }
      assert.deepStrictEqual(codeOf(yield* write(impostor, record)), UNAUTHENTICATED)

      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => send(record, headers)),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
        201,
        ...Array.from({ length: 7 }, () => 401),
      ])
      const fresh = recordOf(user)
      const ofFresh = yield* signed(user, fresh)
      assert.deepStrictEqual(codeOf(yield* send({ ...fresh, json: elsewhere[0]!.json }, ofFresh)), UNAUTHENTICATED)
      assert.deepStrictEqual(codeOf(yield* send(fresh, ofFresh)), UNAUTHENTICATED, "its nonce is used")
    }),
  )

  it.effect("a request that was captured gives no secret, whatever it was signed for", () =>
    Effect.gen(function* () {
      const wallet = newWallet()
      const metadata = { name: "Mine", symbol: "MINE", description: "d", imageUri: "https://example.com/i.png" }
      const what = { path: "/api/launch/dbc-config", json: { metadata, signer: wallet.address } }
      const captured = { ...(yield* signed(wallet, what)), ...newKey() }
      const { publicKey, secretKey } = (yield* send(what, captured)).body.data.dbcConfigKeypair
      assert.isString(secretKey)
      const again = yield* send(what, captured)
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual(again.body.data.dbcConfigKeypair, { publicKey })
      assert.notInclude(JSON.stringify(again.body), secretKey)
    }),
  )

  it.effect("a signature is retried with its Idempotency-Key: done once, and answered to its wallet alone", () =>
    Effect.gen(function* () {
      const [user, other] = [newWallet(), newWallet()]
      const record = { path: "/api/transactions", json: transactionDraft({ userAddress: user.address }) }
      const key = newKey()
      const headers = { ...(yield* signed(user, record)), ...key }
      const first = yield* send(record, headers)
      const again = yield* send(record, headers)
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      const resigned = yield* send(record, { ...(yield* signed(user, record)), ...key })
      assert.deepStrictEqual(resigned.body, first.body)
      assert.deepStrictEqual(codeOf(yield* send(record, { ...headers, ...newKey() })), UNAUTHENTICATED)
      const { authorization } = headers
      assert.deepStrictEqual(codeOf(yield* send(record, { authorization })), UNAUTHENTICATED)
      const ofOther = yield* send(record, { ...(yield* signed(other, record)), ...key })
      assert.deepStrictEqual(codeOf(ofOther), FORBIDDEN)

      // What failed is done again: only successes are stored.
      const one = yield* launchedBy(user)
      yield* write(user, { path: "/api/tokens", json: draftOf(one) })
      const twice = { path: "/api/tokens", json: draftOf(one) }
      const retried = { ...(yield* signed(user, twice)), ...newKey() }
      for (const _ of [1, 2]) assert.strictEqual((yield* send(twice, retried)).status, 409)

      // A PATCH has no Idempotency-Key.
      const change = {
        ...{ method: "PATCH", path: `/api/transactions/${first.body.transaction.id}/status` },
        json: { status: "failed" },
      }
      const once = { ...(yield* signed(user, change)), ...newKey() }
      const statuses = [(yield* send(change, once)).status, (yield* send(change, once)).status]
      assert.deepStrictEqual(statuses, [200, 401])
    }),
  )

  it.effect("the bytes of an image are signed", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const wallet = newWallet()
      const [mine, other] = [noisePng(1, 8), noisePng(2, 8)]
      const path = "/api/ipfs/upload-image"
      const upload = Effect.fnUntraced(function* (image: Buffer) {
        const bytes = new Uint8Array(mine)
        const headers = {
          authorization: yield* Effect.promise(() => authorization(SERVICE, wallet, "POST", path, bytes)),
        }
        return yield* request(path, { method: "POST", raw: formOf(image), headers })
      })
      assert.deepStrictEqual(codeOf(yield* upload(other)), UNAUTHENTICATED)
      assert.lengthOf(yield* sql`select from ipfs_uploads`, 0)
      assert.strictEqual((yield* upload(mine)).status, 200)
      assert.lengthOf(yield* sql`select from ipfs_uploads`, 1)
    }),
  )
})
