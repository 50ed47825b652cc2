import type { Random } from "../Random.ts"
import {
  HOSTILE_BODIES,
  HOSTILE_ENCODED,
  HOSTILE_HEADERS,
  HOSTILE_NAMES,
  HOSTILE_TEXTS,
  HOSTILE_TYPES,
} from "./HostileValues.ts"
import { alteredText, jsonText, mutated } from "./MutateJson.ts"
import { type Operation, type Parameter, resolved } from "./OpenApi.ts"
import { oneOf, type SampleContext, sampleOf } from "./SampleOf.ts"

export interface FuzzRequest {
  readonly operation: Operation
  readonly method: string
  /** As sent, with the query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body: Buffer | undefined
}

/** Bodies that an operation accepts, by its id: generated for each request, so that unique values differ. */
export type BodySamples = Readonly<Record<string, (context: SampleContext) => unknown>>

const JSON_TYPE = "application/json"
const BOUNDARY = "fuzz-of-parts"
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

/** Percent-encoded UTF-8; a lone surrogate becomes the replacement character. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const textOf = (value: unknown): string => (typeof value === "string" ? value : String(JSON.stringify(value)))

/** One chance in so many, if hostile values are wanted. */
type Chance = (oneIn: number) => boolean

const valueOf = (context: SampleContext, { name, schema }: Parameter, chance: Chance): string => {
  const value = textOf(sampleOf(context, schema, name))
  return encoded(chance(2) ? alteredText(context.random, value) : value)
}

const pathOf = (context: SampleContext, operation: Operation, chance: Chance): string => {
  const { random } = context
  const parameters = new Map(operation.parameters?.map((parameter) => [parameter.name, parameter]))
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (chance(6)) return oneOf(random, HOSTILE_ENCODED)
    if (chance(6)) return encoded(oneOf(random, HOSTILE_TEXTS)) || "%20"
    return valueOf(context, parameters.get(name)!, chance)
  })
  if (!chance(15)) return path
  const spellings = [`/${path}`, `${path}/`, path.toUpperCase(), `${path}${oneOf(random, HOSTILE_ENCODED)}`]
  return oneOf(random, [
    ...spellings,
    path.replace(/(\w)(?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ])
}

const queryOf = (context: SampleContext, operation: Operation, chance: Chance): string => {
  const { random } = context
  const parts = (operation.parameters ?? []).flatMap((parameter) => {
    if (parameter.in !== "query" || (parameter.required !== true && random(4) > 0)) return []
    const value = chance(4)
      ? oneOf(random, [encoded(oneOf(random, HOSTILE_TEXTS)), oneOf(random, HOSTILE_ENCODED)])
      : valueOf(context, parameter, chance)
    const part = `${parameter.name}=${value}`
    if (chance(12)) return [part, part]
    return chance(12) ? [parameter.name] : chance(15) ? [`${parameter.name}[]=${value}`] : [part]
  })
  if (chance(8)) parts.push(`${encoded(oneOf(random, HOSTILE_NAMES))}=${encoded(oneOf(random, HOSTILE_TEXTS))}`)
  if (chance(40)) parts.push(...Array.from({ length: 300 }, (_, index) => `q${index}=1`))
  return parts.length === 0 ? (chance(20) ? oneOf(random, ["?", "?&", "?=", "?#"]) : "") : `?${parts.join("&")}`
}

const headersOf = (context: SampleContext, operation: Operation, chance: Chance) => {
  const headers: Record<string, string | ReadonlyArray<string>> = {}
  for (const { in: place, name } of operation.parameters ?? []) {
    if (place === "header" && context.random(6) === 0) headers[name] = `key-${context.random(50)}`
  }
  const secret = operation.security?.length ? context.known.find(context.subject, "secret") : undefined
  if (typeof secret === "string") headers.authorization = secret
  while (chance(3)) {
    const [name, value] = oneOf(context.random, HOSTILE_HEADERS)
    Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return headers
}

/** A form with every declared part: a picture for each file. */
const formOf = (context: SampleContext, operation: Operation, mediaType: string): Buffer => {
  const schema = resolved(context.document, operation.requestBody!.content[mediaType]!.schema)
  const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => {
    const isFile = part.format === "binary" || part.items?.format === "binary"
    const disposition = `Content-Disposition: form-data; name="${name}"${isFile ? '; filename="a.png"' : ""}`
    return Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\n${disposition}\r\n\r\n`),
      isFile ? PIXEL : Buffer.from(textOf(sampleOf(context, part, name))),
      Buffer.from("\r\n"),
    ])
  })
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** The bytes with some of them deleted, replaced or doubled. */
const damaged = (random: Random, bytes: Buffer): Buffer => {
  const at = random(bytes.length + 1)
  const changed = Buffer.from(bytes)
  switch (random(3)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      changed.fill(random(256), at, Math.min(bytes.length, at + 1 + random(8)))
      return changed
    default:
      return Buffer.concat([bytes.subarray(0, at), bytes])
  }
}

const bodyOf = (context: SampleContext, operation: Operation, samples: BodySamples, chance: Chance) => {
  const [declaredType] = Object.keys(operation.requestBody?.content ?? {})
  const { random } = context
  if (declaredType === undefined) {
    // An unexpected body.
    return chance(30) ? { type: JSON_TYPE, body: oneOf(random, HOSTILE_BODIES) } : { type: "", body: undefined }
  }
  const type = chance(15) ? oneOf(random, HOSTILE_TYPES) : declaredType
  if (declaredType !== JSON_TYPE) {
    const form = formOf(context, operation, declaredType)
    const boundary = chance(15) ? "" : `; boundary=${BOUNDARY}`
    return { type: type === declaredType ? `${type}${boundary}` : type, body: chance(3) ? damaged(random, form) : form }
  }
  if (chance(8)) return { type, body: oneOf(random, HOSTILE_BODIES) }
  const sample = samples[operation.operationId]
  const schema = operation.requestBody!.content[JSON_TYPE]!.schema
  let value = sample === undefined || chance(4) ? sampleOf(context, schema) : sample(context)
  for (let changes = 0; changes < 3 && chance(2); changes++) value = mutated(random, value)
  const body = Buffer.from(jsonText(value))
  return { type, body: chance(15) ? damaged(random, body) : body }
}

/** A request to an operation: valid, or (`isHostile`) with some hostile parts. */
export const fuzzRequest = (
  context: SampleContext,
  operation: Operation,
  samples: BodySamples,
  isHostile: boolean,
): FuzzRequest => {
  const chance: Chance = (oneIn) => isHostile && context.random(oneIn) === 0
  const { body, type } = bodyOf(context, operation, samples, chance)
  const headers = headersOf(context, operation, chance)
  const method = chance(50) ? oneOf(context.random, ["PUT", "HEAD", "OPTIONS", "DELETE", "POST"]) : operation.method
  const url = `${pathOf(context, operation, chance)}${queryOf(context, operation, chance)}`
  return { operation, method, url, headers: body === undefined ? headers : { "content-type": type, ...headers }, body }
}
