import { assert, describe, it } from "@effect/vitest"
import { declaredDocument } from "../../fixtures/OpenApiExamples.ts"
import { makeAnswerCheck } from "./AnswerCheck.ts"
import type { FuzzRequest } from "./FuzzRequest.ts"
import { type OpenApiDocument, operationsOf } from "./OpenApi.ts"
import type { FuzzAnswer } from "./SendRequest.ts"

const document = declaredDocument as OpenApiDocument
const operations = operationsOf(document)
const check = makeAnswerCheck(document, operations)

const requestOf = (operationId: string, change: Partial<FuzzRequest> = {}): FuzzRequest => {
  const operation = operations.find((each) => each.operationId === operationId)!
  return { operation, method: operation.method, url: operation.path, headers: {}, body: undefined, ...change }
}

const answerOf = (status: number, body: unknown, headers: FuzzAnswer["headers"] = {}): FuzzAnswer => ({
  status,
  headers: { "content-type": "application/json", "x-content-type-options": "nosniff", "x-request-id": "r", ...headers },
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
})

const DETAILS = { resource: "token", id: "x" }
const FAULT = { success: false, code: "not_found", message: "No", requestId: "r", details: DETAILS }
const HEALTHY = { success: true, data: { deleted: true } }
const events = (...data: ReadonlyArray<object>) =>
  `retry: 2000\n\n${data.map((each) => `id: 1\nevent: reset\ndata: ${JSON.stringify(each)}\n\n`).join("")}`
const EVENTS = { "content-type": "text/event-stream" }

describe("The check of an answer", () => {
  const [remove, byId] = [requestOf("tokens.remove"), requestOf("tokens.getById")]
  const list = requestOf("tokens.list")
  const content = requestOf("gateway.content", { url: "/ipfs/bafy" })

  it("accepts what is declared", () => {
    for (const [request, answer] of [
      [remove, answerOf(200, HEALTHY)],
      [byId, answerOf(404, FAULT)],
      [requestOf("stream.changes"), answerOf(200, events({ reason: "unknown_id" }), EVENTS)],
      [content, answerOf(200, { name: "Any" })],
      [{ ...list, url: "//api/tokens" }, answerOf(404, { ...FAULT, code: "route_not_found" })],
    ] as const)
      assert.isUndefined(check(request, answer))
  })

  it.each<readonly [FuzzRequest, FuzzAnswer, RegExp]>([
    [{ ...list, url: "/API/TOKENS" }, answerOf(200, { success: true, data: [] }), /not declared/],
    [list, answerOf(500, FAULT), /^status 500$/],
    [list, answerOf(409, FAULT), /409 is not declared/],
    [remove, answerOf(200, { ...HEALTHY, more: 1 }), /additional properties/],
    [remove, answerOf(200, { success: true }), /required property/],
    [byId, answerOf(404, { ...FAULT, code: "no_such_code" }), /not as declared/],
    [byId, answerOf(404, { message: "No" }), /not the envelope/],
    [remove, answerOf(200, HEALTHY, { "content-type": "text/html" }), /text\/html is not declared/],
    [requestOf("stream.changes"), answerOf(200, events({ reason: "zzz" }), EVENTS), /not as declared/],
    [byId, answerOf(404, { ...FAULT, message: "at x.ts:1:2" }), /interior/],
    [byId, answerOf(404, FAULT, { "x-request-id": "other" }), /another one/],
    [content, answerOf(200, '{"name":'), /no JSON/],
    [content, answerOf(206, { name: "Any" }), /application\/json is not declared for 206/],
    [{ ...content, url: "/ipfs/%2e" }, answerOf(404, { ...FAULT, code: "no_such_code" }), /not as declared/],
    [requestOf("system.ready"), answerOf(503, FAULT, { "retry-after": "0" }), /Retry-After/],
  ])("finds what is not", (request, answer, fault) => assert.match(check(request, answer) ?? "", fault))
})
