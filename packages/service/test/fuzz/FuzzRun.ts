import { Agent } from "node:http"
import { randomOf } from "../Random.ts"
import { makeAnswerCheck } from "./AnswerCheck.ts"
import { type BodySamples, type FuzzRequest, fuzzRequest } from "./FuzzRequest.ts"
import { KnownValues } from "./KnownValues.ts"
import { type OpenApiDocument, type Operation, operationsOf } from "./OpenApi.ts"
import { oneOf } from "./SampleOf.ts"
import { type FuzzAnswer, sendRequest } from "./SendRequest.ts"

const SHOWN_MAX = 600
/** Operations that others depend on come first. */
const ORDER = ["POST", "GET", "PATCH", "PUT", "DELETE"]
/** Valid requests per operation, before anything else. */
const MEANT_ROUNDS = 8
/** Further requests at the end, until each operation has succeeded. */
const MEANT_ROUNDS_MAX = 200

export interface FuzzOptions {
  readonly url: string
  readonly document: OpenApiDocument
  readonly seed: number
  readonly requests: number
  readonly samples: BodySamples
  /** Existing values by subject, which no operation returns. */
  readonly known?: Readonly<Record<string, object>>
  /** Sent with every request: the credential of an operator. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Violation {
  readonly operationId: string
  readonly fault: string
  /** Request and answer, truncated. */
  readonly shown: string
}

export interface FuzzFigures {
  /** Answers by operation and status. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly violations: ReadonlyArray<Violation>
}

const clipped = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text)

const shown = ({ body, headers, method, url }: FuzzRequest, answer: FuzzAnswer | undefined): string =>
  [
    `${method} ${clipped(url)} ${clipped(JSON.stringify(headers))}`,
    clipped(body?.toString("latin1") ?? ""),
    answer === undefined ? "no answer" : `${answer.status} ${clipped(answer.body.toString())}`,
  ].join("\n")

/**
 * Sends so many requests sequentially, so that a seed gives the same ones while answers are the same; checks every answer. New
 * operations are included as soon as the document declares them.
 */
export const fuzzRun = async (options: FuzzOptions): Promise<FuzzFigures> => {
  const { document, requests, samples, seed, url } = options
  const operations = operationsOf(document)
  const random = randomOf(seed)
  const known = new KnownValues(random)
  for (const [subject, values] of Object.entries(options.known ?? {})) known.learn(subject, values)
  const check = makeAnswerCheck(document, operations)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const counts = new Map<string, Map<number, number>>()
  const violations: Array<Violation> = []

  const attempt = async (made: FuzzRequest): Promise<void> => {
    const request = { ...made, headers: { ...made.headers, ...options.headers } }
    const { operationId, subject } = request.operation
    const violated = (fault: string, answer?: FuzzAnswer) =>
      void violations.push({ operationId, fault, shown: shown(request, answer) })
    let answer: FuzzAnswer
    try {
      answer = await sendRequest(url, agent, request)
    } catch (error) {
      return violated(`no answer: ${error instanceof Error ? error.message : String(error)}`)
    }
    const statuses = counts.get(operationId) ?? new Map<number, number>()
    counts.set(operationId, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1))
    const fault = check(request, answer)
    if (fault !== undefined) return violated(fault, answer)
    // A part of a file (206) has the file's type, but it is not a document.
    const isWhole = answer.status < 300 && answer.status !== 206
    if (isWhole && answer.headers["content-type"]?.startsWith("application/json") === true)
      known.learn(subject, JSON.parse(answer.body.toString() || "null"))
  }

  const askAsMeant = (operation: Operation) =>
    attempt(fuzzRequest({ document, random, known, subject: operation.subject }, operation, samples, false))
  const hasSucceeded = ({ operationId, responses }: Operation): boolean =>
    !Object.keys(responses).some((status) => status < "300") ||
    [...(counts.get(operationId)?.keys() ?? [])].some((status) => status < 300)

  const inOrder = operations.toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
  const meant = Array.from({ length: MEANT_ROUNDS }, () => inOrder).flat()
  for (let done = 0; done < requests; done++) {
    const operation = meant[done] ?? oneOf(random, operations)
    const context = { document, random, known, subject: operation.subject }
    const isHostile = done >= meant.length && random(6) > 0
    await attempt(fuzzRequest(context, operation, samples, isHostile))
  }
  // Success depends on ids that differ between runs: operations are repeated until each has succeeded.
  for (let round = 0; round < MEANT_ROUNDS_MAX && !inOrder.every(hasSucceeded); round++)
    for (const operation of inOrder) await askAsMeant(operation)
  agent.destroy()
  return { counts, violations }
}
