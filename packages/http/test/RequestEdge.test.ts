import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { declaredPaths } from "../src/requests/DeclaredPaths.ts"
import { requestEdge } from "../src/requests/RequestEdge.ts"

const faulty = Layer.mergeAll(
  HttpRouter.add("GET", "/defect", Effect.die(new Error("secret detail"))),
  HttpRouter.add("GET", "/fine", HttpServerResponse.text("fine")),
).pipe(Layer.provide(requestEdge(declaredPaths({ groups: {} }, []))))

const lines: Array<string> = []
const capture = Logger.layer([
  Logger.make(({ cause, fiber, message }) => {
    lines.push(`${String(message)} ${JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))} ${String(cause)}`)
  }),
])

it("answers a defect without any details, and logs it under the request's id", async () => {
  const { dispose, handler } = HttpRouter.toWebHandler(faulty.pipe(Layer.provideMerge(capture)), {
    disableLogger: true,
  })
  const response = await handler(new Request("http://localhost/defect", { headers: { "x-request-id": "trace-7" } }))
  const body = await response.text()
  await dispose()
  assert.strictEqual(response.status, 500)
  assert.deepInclude(JSON.parse(body), { success: false, code: "internal_error" })
  const { requestId } = JSON.parse(body) as { readonly requestId: string }
  assert.match(requestId, /^trace-7\./)
  assert.notInclude(body, "secret detail")
  const logged = lines.find((line) => line.includes("A request failed"))!
  assert.include(logged, `"requestId":"${requestId}"`)
  assert.include(logged, "secret detail")
})
