import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { Contract } from "../src/Contract.ts"
import { BodyTooLarge, InvalidRequest } from "../src/http/RequestErrors.ts"
import { RequestId } from "../src/http/RequestId.ts"
import { endInstant, parseIsoMillis } from "../src/time/Timestamp.ts"

describe("The contract", () => {
  it("describes every endpoint, and declares every error with an envelope", () => {
    const { openapi, paths } = OpenApi.fromApi(Contract)
    assert.strictEqual(openapi, "3.1.0")
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods as object)) {
        assert.isString(operation.summary, `${method} ${path}`)
        assert.isString(operation.operationId, `${method} ${path}`)
        assert.containsAllKeys(operation.responses, ["400", "500"], `${method} ${path}`)
      }
    }
  })

  it("has every public path", () => {
    const specified = [
      ...["GET /", "POST /api/tokens", "GET /api/tokens", "GET /api/tokens/{id}", "GET /api/tokens/mint/{address}"],
      ...["GET /api/tokens/search", "GET /api/tokens/address/{address}", "GET /api/tokens/popular"],
      ...["GET /api/tokens/holders/{mintAddress}", "PATCH /api/tokens/{id}", "DELETE /api/tokens/{id}"],
      ...["POST /api/transactions", "GET /api/transactions", "GET /api/transactions/{id}"],
      ...["GET /api/transactions/user/{address}", "GET /api/transactions/token/{address}"],
      ...["PATCH /api/transactions/{id}/status", "DELETE /api/transactions/{id}"],
      ...["POST /api/ipfs/upload-image", "POST /api/ipfs/upload-metadata", "GET /api/ipfs/health"],
      ...["POST /api/launch/dbc-config", "POST /api/launch/deploy-token", "POST /api/launch/whitelist"],
      ...["POST /api/launch/unwhitelist", "POST /api/launch/swap", "GET /api/launch/pool/state/{mintAddress}"],
      ...["GET /api/launch/pool/config/{mintAddress}", "GET /api/launch/pool/metadata/{mintAddress}"],
      "GET /api/launch/pool/curve-progress/{mintAddress}",
    ]
    const declared = Object.entries(OpenApi.fromApi(Contract).paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.includeMembers(declared, specified)
  })
})

describe("An error", () => {
  it.effect("encodes as the envelope with the id of the request, and decodes to itself", () =>
    Effect.gen(function* () {
      const error = InvalidRequest.at("body.name", "is required")
      const body = yield* Schema.encodeEffect(InvalidRequest.response)(error)
      assert.deepStrictEqual(body, {
        success: false,
        code: "invalid_request",
        message: "body.name: is required",
        requestId: "r-1",
        issues: [{ path: "body.name", message: "is required" }],
      })
      const back = yield* Schema.decodeEffect(InvalidRequest.response)(body)
      assert.instanceOf(back, InvalidRequest)
      assert.deepStrictEqual(back.issues, error.issues)
    }).pipe(Effect.provideService(RequestId, "r-1")),
  )

  it.effect("has its facts as details", () =>
    Effect.gen(function* () {
      const body = yield* Schema.encodeEffect(BodyTooLarge.response)(new BodyTooLarge({ limitBytes: 7 }))
      assert.deepStrictEqual(body.details, { limitBytes: 7 })
    }),
  )
})

describe("Dates", () => {
  it("accept ISO 8601 only, and a date as upper bound includes its whole day", () => {
    assert.strictEqual(parseIsoMillis("1970-01-01"), 0)
    assert.strictEqual(parseIsoMillis("1970-01-01T00:00:01"), 1000)
    assert.strictEqual(parseIsoMillis("1970-01-01T01:00:00+01:00"), 0)
    for (const text of ["", "yesterday", "1", "2026-13-01", "2026-02-31", "2026-01-01T25:00:00Z", "Jan 1 2026"]) {
      assert.isUndefined(parseIsoMillis(text), text)
    }
    assert.strictEqual(endInstant("1970-01-01").getTime(), 86_399_999)
    assert.strictEqual(endInstant("1970-01-01T00:00:01.000Z").getTime(), 1000)
  })
})
