import { Effect } from "effect"
import { forwardToChain } from "../ForwardToChain.ts"
import { jsonServer } from "../JsonServer.ts"
import type { JsonRpcCall } from "./StandInNode.ts"

/** Turns a correct result into a wrong one. */
export type Lie = (result: unknown) => unknown

/** A node in front of a chain that answers one method, or all, with wrong results while `lie` is set. */
export interface LyingNode {
  readonly url: string
  /** Calls by method, without probes. */
  readonly calls: Map<string, number>
  lie: { readonly method: string; readonly of: Lie; readonly inProbes?: boolean } | undefined
}

/** Every value within a result by `change`, from the leaves up. */
export const mapped = (value: unknown, change: (value: unknown, key: string) => unknown, key = ""): unknown => {
  if (Array.isArray(value))
    return change(
      value.map((item, at) => mapped(item, change, String(at))),
      key,
    )
  if (typeof value !== "object" || value === null) return change(value, key)
  const fields = Object.entries(value).map(([name, inner]) => [name, mapped(inner, change, name)] as const)
  return change(Object.fromEntries(fields), key)
}

const numbers =
  (change: (number: number) => unknown): Lie =>
  (result) =>
    mapped(result, (value) => (typeof value === "number" ? change(value) : value))

const texts =
  (change: (text: string) => unknown): Lie =>
  (result) =>
    mapped(result, (value) => (typeof value === "string" ? change(value) : value))

const without =
  (...names: ReadonlyArray<string>): Lie =>
  (result) =>
    mapped(result, (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
        : value,
    )

const fieldsNamed =
  (field: string, change: (value: unknown) => unknown): Lie =>
  (result) =>
    mapped(result, (value, key) => (key === field ? change(value) : value))

/** Values that are wrong anywhere. */
export const LIES: Readonly<Record<string, Lie>> = {
  "numbers in quotes": numbers(String),
  "numbers below 0": numbers((number) => -1 - number),
  "numbers with a fraction": numbers((number) => number + 0.5),
  "numbers of 1e300": numbers(() => 1e300),
  "null for numbers": numbers(() => null),
  "numbers for texts": texts((text) => text.length),
  "null for texts": texts(() => null),
  "texts of no alphabet": texts((text) => `${text}é!`),
  "huge texts": texts(() => "A".repeat(100_000)),
  "no slot, no account, no transaction": without("context", "slot", "account", "transaction"),
  "no data, no error, no owner": without("data", "err", "owner"),
  "lists in lists": (result) => mapped(result, (value) => (Array.isArray(value) ? [value] : value)),
  "objects for lists": (result) => mapped(result, (value) => (Array.isArray(value) ? { ...value } : value)),
  "lists for objects": (result) =>
    mapped(result, (value) => (typeof value === "object" && value !== null ? Object.values(value) : value)),
  "data that are cut": fieldsNamed("data", (data) =>
    Array.isArray(data) ? [String(data[0]).slice(0, 8), "base64"] : String(data).repeat(100_000),
  ),
  "a text": () => "result",
  "a number": () => -7.5,
  "an empty object": () => ({}),
}

/** A harmless change: additional fields. */
export const MORE: Lie = (result) =>
  mapped(result, (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value, garbage: { of: [null, -1.5, "x"] } }
      : value,
  )

/** Forwards other requests to `chainUrl`, which has to answer; `answers` are results by method instead of the chain's. */
export const lyingNode = (chainUrl: string, answers: Readonly<Record<string, unknown>> = {}) =>
  Effect.suspend(() => {
    const node: { -readonly [Key in keyof LyingNode]: LyingNode[Key] } = { url: "", calls: new Map(), lie: undefined }
    return Effect.map(
      jsonServer<JsonRpcCall>((call, response) => {
        const isProbe = String(call.id).startsWith("probe-")
        if (!isProbe) node.calls.set(call.method, (node.calls.get(call.method) ?? 0) + 1)
        void forwardToChain(chainUrl, JSON.stringify(call), response, (answer) => {
          const told = JSON.parse(answer) as { readonly result?: unknown }
          const body = call.method in answers ? { ...told, result: answers[call.method] } : told
          const { lie } = node
          const isLie =
            lie !== undefined && "result" in body && lie.method === call.method && (!isProbe || lie.inProbes === true)
          return JSON.stringify(isLie ? { ...body, result: lie.of(body.result) } : body)
        })
      }),
      (url): LyingNode => Object.assign(node, { url }),
    )
  })
