import { assert, describe, it } from "@effect/vitest"
import { MALFORMED_ANSWERS } from "@launch-registry/http/listener/MalformedHttp"
import { type Json, nameIn, operationOf, operations, type Response, schemas } from "./ContractDocument.ts"

const codeOf = (schema: Json | undefined): unknown =>
  (
    (schema?.properties as Readonly<Record<string, { readonly enum?: ReadonlyArray<unknown> }>> | undefined)?.code
      ?.enum ?? []
  )[0]

/** Error codes that a response may have. */
const codesOf = ({ content }: Response): ReadonlyArray<unknown> => {
  const schema = content?.["application/json"]?.schema ?? {}
  const members = (schema.oneOf ?? schema.anyOf ?? [schema]) as ReadonlyArray<Json>
  return members.map((member) => codeOf(schemas[nameIn(member)]))
}

describe("Every operation", () => {
  const inApi = (operationId: string) => !/^(gateway|metrics|webhooks)\./.test(operationId)

  it("declares the errors of the server's edge, and its own", () => {
    const before = MALFORMED_ANSWERS.map(([status, code]) => [String(status), code] as const)
    const expected = [...before, ["429", "limit_reached"], ["500", "internal_error"]] as const
    for (const { operationId, responses, shown } of operations) {
      // The liveness probe does not use the database.
      const isProbe = operationId === "system.live"
      if (isProbe) assert.notProperty(responses, "503")
      const ofIt = inApi(operationId)
        ? [
            ...expected,
            ["400", "invalid_request"] as const,
            ...(isProbe ? [] : [["503", "upstream_unavailable"] as const]),
          ]
        : expected
      for (const [status, code] of ofIt) {
        assert.include(codesOf(responses[status] ?? { description: "" }), code, `${shown} ${status}`)
      }
    }
  })

  it("declares the errors of bodies if it has one, and only then", () => {
    const OF_BODIES = ["body_too_large", "unsupported_content_type"]
    for (const { operationId, requestBody, responses, shown } of operations) {
      const codes = Object.values(responses).flatMap(codesOf)
      if (requestBody === undefined) assert.notIncludeMembers(codes, OF_BODIES, shown)
      else if (inApi(operationId)) assert.includeMembers(codes, OF_BODIES, shown)
    }
  })

  it("declares the headers of its responses", () => {
    let [revalidated, replayable] = [0, 0]
    for (const { parameters, responses, shown } of operations) {
      const names = parameters.map(({ name }) => name)
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const isOfRequest = !["417", "431", "501"].includes(status)
        assert.strictEqual("x-request-id" in headers, isOfRequest, `${shown} ${status}`)
        assert.strictEqual("retry-after" in headers, status === "429" || status === "503", `${shown} ${status}`)
        assert.strictEqual(
          "idempotency-replayed" in headers,
          status.startsWith("2") && names.includes("idempotency-key"),
          `${shown} ${status}`,
        )
        if (status === "304") assert.include(names, "if-none-match", shown)
        if (status === "304" || (status === "200" && "304" in responses))
          assert.containsAllKeys(headers, ["etag", "cache-control"], `${shown} ${status}`)
      }
      revalidated += "304" in responses ? 1 : 0
      replayable += names.includes("idempotency-key") ? 1 : 0
    }
    assert.isTrue(revalidated >= 4 && replayable >= 12)
    assert.containsAllKeys(operationOf("tokens.create").responses["201"]!.headers, ["location"])
  })
})
