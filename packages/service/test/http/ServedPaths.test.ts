import { assert, layer } from "@effect/vitest"
import { Contract } from "@launch-registry/domain/Contract"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { CONSOLE_ROUTES } from "@launch-registry/console/ConsoleRoutes"
import { FAUCET_ROUTES } from "../../src/FaucetRoute.ts"
import { DOCUMENTATION_ROUTES } from "@launch-registry/http/documentation/Documentation"
import { GATEWAY_ROUTES } from "@launch-registry/ipfs/Gateway"
import { routes } from "../../src/ApiServer.ts"
import { LearnCurves } from "@launch-registry/server/launch/LearnCurves"
import { ShownChangesLayer } from "@launch-registry/server/stream/ShownChanges"
import { ChangeFeed } from "@launch-registry/server/stream/ChangeFeed"
import { TestServer } from "../TestServer.ts"
import { operations } from "./ContractDocument.ts"

/** A router that records its routes. */
const recording = Effect.gen(function* () {
  const router = yield* HttpRouter.make
  const added: Array<string> = []
  const recorder: HttpRouter.HttpRouter = {
    ...router,
    add: (method, path, handler, options) => recorder.addAll([HttpRouter.route(method, path, handler, options)]),
    addAll: (all) => {
      added.push(...all.map(({ method, path }) => `${method} ${path}`))
      return router.addAll(all)
    },
  }
  return { added, recorder }
})

layer(TestServer.layer(), { excludeTestServices: true })("The declared API", (it) => {
  it.effect("is served", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      for (const { shown } of operations) {
        const [method = "", path = ""] = shown.split(" ")
        // An undeclared parameter: handlers that parse the query refuse it before anything is done.
        const url = `${path.replaceAll(/\{\w+\}/g, "x")}?undeclared=1`
        const answer = yield* fetch(url, { method: method.toUpperCase() })
        const text = yield* Effect.promise(() => answer.text())
        assert.notMatch(text, /"(route_not_found|method_not_allowed)"/, shown)
      }
    }),
  )

  it.effect("is all that is served", () =>
    Effect.gen(function* () {
      const { added, recorder } = yield* recording
      const served = routes({
        ...{ host: "127.0.0.1", port: 0, version: "0.0.0-test", network: "localnet" },
        ...{ gatewayUrl: "http://localhost:3001/ipfs", tradingRequiresWhitelist: false, faucet: true },
      })
      const built = served.pipe(
        Layer.provide(ChangeFeed.layer()),
        Layer.provide(Layer.provide(ShownChangesLayer, LearnCurves.layer)),
        Layer.provide(Layer.succeed(HttpRouter.HttpRouter)(recorder)),
      )
      // The requirements of a router on requests are types only, without a runtime value.
      type Needed = HttpRouter.Request.Without<Layer.Services<typeof built>>
      yield* Effect.scoped(Layer.build(built as Layer.Layer<never, never, Needed>))
      const declared = [
        ...Object.values(Contract.groups).flatMap((group) =>
          Object.values(group.endpoints).map(({ method, path }) => `${method} ${path}`),
        ),
        ...[...DOCUMENTATION_ROUTES, ...GATEWAY_ROUTES, ...CONSOLE_ROUTES, ...FAUCET_ROUTES].map(
          ([method, path]) => `${method} ${path}`,
        ),
      ]
      assert.isAbove(added.length, 40)
      assert.deepStrictEqual(
        added.filter((route) => !declared.includes(route)),
        [],
      )
    }),
  )
})
