import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { draftOf, launch, launchConfig } from "../../../server/test/tokens/ChainLaunches.ts"
import { TestServer } from "../TestServer.ts"
import { compiled, type Service, signing } from "./SigningPage.ts"
import { accessOf } from "./TestAccess.ts"
import { newWallet } from "./TestWallet.ts"

/** Where the server listens, once it does. */
const here: { url: string } & Service = { url: "", network: "localnet" }
const site = {
  chainId: here.network,
  get uri() {
    return here.url
  },
  get domain() {
    return new URL(here.url).host
  },
}

it.effect("the code of docs/access.md compiles with strict settings", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* compiled, "")
  }).pipe(Effect.scoped),
)

const server = TestServer.layer({ access: accessOf({ writeAuth: ["wallet"], site }) })

layer(server, { excludeTestServices: true })("The code of docs/access.md", (it) => {
  it.effect("registers and changes a token of its wallet", () =>
    Effect.gen(function* () {
      const { request, url } = yield* TestServer
      here.url = url
      const { authorization, describeToken } = yield* signing
      const wallet = newWallet()
      const draft = draftOf(yield* launch({ config: yield* launchConfig(), creator: wallet.address }))
      const body = new TextEncoder().encode(JSON.stringify(draft))
      const headers = {
        authorization: yield* Effect.promise(() => authorization(here, wallet, "POST", "/api/tokens", body)),
      }
      const created = yield* request("/api/tokens", { json: draft, headers })
      assert.strictEqual(created.status, 201)
      const { id } = created.body.data
      yield* Effect.promise(() => describeToken(here, wallet, id, "By its wallet"))
      assert.strictEqual((yield* request(`/api/tokens/${id}`)).body.data.description, "By its wallet")

      const other = { ...here, network: "mainnet" }
      const refused = yield* Effect.promise(() => describeToken(other, wallet, id, "x").catch((error: Error) => error))
      const { code, details } = JSON.parse(refused!.message)
      assert.strictEqual(code, "unauthenticated")
      assert.include(details.expectedMessage, "Chain ID: localnet")
    }),
  )
})
