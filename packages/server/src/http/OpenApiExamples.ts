import bridge from "../../fixtures/examples/bridge.json" with { type: "json" }
import gateway from "../../fixtures/examples/gateway.json" with { type: "json" }
import ipfs from "../../fixtures/examples/ipfs.json" with { type: "json" }
import launch from "../../fixtures/examples/launch.json" with { type: "json" }
import metrics from "../../fixtures/examples/metrics.json" with { type: "json" }
import stream from "../../fixtures/examples/stream.json" with { type: "json" }
import system from "../../fixtures/examples/system.json" with { type: "json" }
import tokens from "../../fixtures/examples/tokens.json" with { type: "json" }
import transactions from "../../fixtures/examples/transactions.json" with { type: "json" }
import webhooks from "../../fixtures/examples/webhooks.json" with { type: "json" }
import { Contract } from "@launch-registry/domain/Contract"
import { Context, Option } from "effect"
import { OpenApi } from "effect/http-api"
import type { RecordedExamples, RecordedExchange } from "./RecordedExchange.ts"

/** What the service answered when `pnpm record-examples` asked it. */
export const RECORDED: RecordedExamples = {
  ...{ ...bridge, ...gateway, ...ipfs, ...launch, ...metrics },
  ...{ ...stream, ...system, ...tokens, ...transactions, ...webhooks },
}

type Content = Readonly<Record<string, object>>

interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly required?: boolean }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface ExemplifiedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The same for paths that say the same in another order: `/pool/state/{mintAddress}` and `/pool/{mintAddress}/state`. */
const kindOf = (method: string, path: string): string => [method, ...path.split("/").toSorted()].join(" ")

const isSuccess = ({ response }: RecordedExchange): boolean => response.status < 400

/** Longer bodies are not repeated. */
const BODY_SHOWN_MAX = 300

/** The request that was answered so; with its body where that was refused, which is no example to follow. */
const sentOf = (exchange: RecordedExchange): string => {
  const { body, line, mediaType } = exchange.request
  const sent = mediaType === "application/json" ? JSON.stringify(body) : ""
  return isSuccess(exchange) || sent === "" || sent.length > BODY_SHOWN_MAX ? line : `${line} ${sent}`
}

const requestContent = (declared: Content, exchanges: ReadonlyArray<RecordedExchange>): Content =>
  withExamples(declared, (mediaType) =>
    exchanges
      .filter((exchange) => isSuccess(exchange) && exchange.request.mediaType === mediaType)
      .map(({ name, request, summary }) => [name, { summary, value: request.body }]),
  )

const responseContent = (declared: Content, exchanges: ReadonlyArray<RecordedExchange>): Content =>
  withExamples(declared, (mediaType) =>
    exchanges
      .filter(({ response }) => response.mediaType === mediaType)
      .map((exchange) => {
        const { name, response, summary } = exchange
        return [name, { summary, description: sentOf(exchange), value: response.body }]
      }),
  )

const withExamples = (
  declared: Content,
  of: (mediaType: string) => ReadonlyArray<readonly [name: string, example: object]>,
): Content =>
  Object.fromEntries(
    Object.entries(declared).map(([mediaType, media]) => {
      const examples = of(mediaType)
      return [mediaType, examples.length === 0 ? media : { ...media, examples: Object.fromEntries(examples) }]
    }),
  )

/** Only what has to be sent: an optional parameter starts empty where a reader tries the operation. */
const parameters = (declared: NonNullable<Operation["parameters"]>, { request }: RecordedExchange) =>
  declared.map((parameter) =>
    parameter.required === true && request.parameters[parameter.name] !== undefined
      ? { ...parameter, example: request.parameters[parameter.name] }
      : parameter,
  )

const exemplified = (operation: Operation, exchanges: ReadonlyArray<RecordedExchange>): Operation => {
  const first = exchanges.find(isSuccess) ?? exchanges[0]
  if (first === undefined) return operation
  const { requestBody, responses } = operation
  return {
    ...operation,
    ...(operation.parameters && { parameters: parameters(operation.parameters, first) }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: requestContent(requestBody.content, exchanges) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const answered = exchanges.filter((exchange) => String(exchange.response.status) === status)
        return [
          status,
          response.content === undefined
            ? response
            : { ...response, content: responseContent(response.content, answered) },
        ]
      }),
    ),
  }
}

/** The document with the recorded examples of its operations. */
export const withRecorded = (document: ExemplifiedDocument): ExemplifiedDocument => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ kind: kindOf(method, path), operationId })),
  )
  const recordedOf = ({ operationId }: Operation, kind: string) =>
    RECORDED[operationId] ??
    operations.flatMap((other) => (other.kind === kind ? (RECORDED[other.operationId] ?? []) : []))
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        exemplified(operation, recordedOf(operation, kindOf(method, path))),
      ]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

const before = Option.getOrElse(
  Context.getOption(Contract.annotations, OpenApi.Transform),
  () => (document: Record<string, unknown>) => document,
)

/** The contract as it is documented: with the recorded examples, after whatever else is done to its document. */
export const DocumentedApi = Contract.annotate(OpenApi.Transform, (document) => ({
  ...withRecorded(before(document) as ExemplifiedDocument),
}))
