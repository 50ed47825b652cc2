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

const FAULT = {
  success: false,
  code: "not_found",
  message: "No",
  requestId: "r",
  details: { resource: "token", id: "x" },
}
const HEALTHY = { success: true, data: { deleted: true } }
const events = (...data: ReadonlyArray<object>) =>
  `retry: 2000\n\n${data.map((each) => `id: 1\nevent: reset\ndata: ${JSON.stringify(each)}\n\n`).join("")}`
const EVENTS = { "content-type": "text/event-stream" }

describe("The check of an answer", () => {
  const fine: ReadonlyArray<readonly [what: string, request: FuzzRequest, answer: FuzzAnswer]> = [
    ["a success as declared", requestOf("tokens.remove"), answerOf(200, HEALTHY)],
    ["an error as declared", requestOf("tokens.getById"), answerOf(404, FAULT)],
    ["an event as declared", requestOf("stream.changes"), answerOf(200, events({ reason: "unknown_id" }), EVENTS)],
    [
      "no route where the path belongs to no operation",
      requestOf("tokens.list", { url: "//api/tokens" }),
      answerOf(404, { ...FAULT, code: "route_not_found" }),
    ],
    [
      "the answer of the operation that a path leads to",
      requestOf("tokens.list", { url: "/api/tokens/x" }),
      answerOf(404, FAULT),
    ],
  ]
  const list = answerOf(200, { success: true, data: [] })
  for (const url of ["/api/tokens/", "//api//tokens", "/API/TOKENS", "/api/token%73", "/api/tokens;x=1"])
    it(`finds: a list at ${url}`, () =>
      assert.match(check(requestOf("tokens.list", { url }), list) ?? "", /200 for a path that is not declared/))
  for (const [what, request, answer] of fine) it(`accepts: ${what}`, () => assert.isUndefined(check(request, answer)))

  const wrong: ReadonlyArray<readonly [what: string, request: FuzzRequest, answer: FuzzAnswer, fault: RegExp]> = [
    ["500, although it is declared", requestOf("tokens.list"), answerOf(500, FAULT), /^status 500$/],
    ["an undeclared status", requestOf("tokens.list"), answerOf(409, FAULT), /409 is not declared/],
    ["no route where the path is right", requestOf("tokens.list"), answerOf(404, FAULT), /404 is not declared/],
    [
      "an additional field",
      requestOf("tokens.remove"),
      answerOf(200, { ...HEALTHY, more: 1 }),
      /additional properties/,
    ],
    ["a missing field", requestOf("tokens.remove"), answerOf(200, { success: true }), /required property/],
    [
      "an additional field in the details of an error",
      requestOf("tokens.getById"),
      answerOf(404, { ...FAULT, details: { resource: "token", id: "x", sql: "" } }),
      /additional properties/,
    ],
    ["malformed JSON", requestOf("tokens.remove"), answerOf(200, "{"), /not as declared/],
    [
      "an undeclared code",
      requestOf("tokens.getById"),
      answerOf(404, { ...FAULT, code: "no_such_code" }),
      /not as declared/,
    ],
    [
      "an error without the envelope",
      requestOf("tokens.getById"),
      answerOf(404, { message: "No" }),
      /not the envelope/,
    ],
    ["an empty error", requestOf("tokens.getById"), answerOf(404, ""), /not the envelope/],
    [
      "an undeclared media type",
      requestOf("tokens.remove"),
      answerOf(200, HEALTHY, { "content-type": "text/html" }),
      /text\/html is not declared/,
    ],
    [
      "an undeclared event",
      requestOf("stream.changes"),
      answerOf(200, events({ reason: "unknown_id" }, { reason: "zzz" }), EVENTS),
      /not as declared/,
    ],
    [
      "a long error message",
      requestOf("tokens.getById"),
      answerOf(404, { ...FAULT, message: "x".repeat(40_000) }),
      /more than 32768 bytes/,
    ],
    ["internals", requestOf("tokens.getById"), answerOf(404, { ...FAULT, message: "at x.ts:1:2" }), /interior/],
    [
      "another request id",
      requestOf("tokens.getById"),
      answerOf(404, FAULT, { "x-request-id": "other" }),
      /another one/,
    ],
    ["a malformed Retry-After", requestOf("system.ready"), answerOf(503, FAULT, { "retry-after": "0" }), /Retry-After/],
    [
      "a missing nosniff",
      requestOf("tokens.remove"),
      answerOf(200, HEALTHY, { "x-content-type-options": "" }),
      /nosniff/,
    ],
    ["a body for HEAD", requestOf("tokens.list", { method: "HEAD" }), answerOf(200, "{}"), /envelope/],
  ]
  for (const [what, request, answer, fault] of wrong)
    it(`finds: ${what}`, () => assert.match(check(request, answer) ?? "", fault))
})
