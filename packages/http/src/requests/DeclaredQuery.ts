import { type InvalidIssue, ISSUES_MAX } from "@launch-registry/domain/http/ErrorEnvelope"
import { SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { firstIssues } from "./BoundedIssues.ts"
import { unknownName } from "./UnknownNames.ts"

/** A query as parsed by the router. */
type Query = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Declaration of a parameter. */
interface Parameter {
  readonly isOptional: boolean
  readonly isRepeatable: boolean
  /** Whether the empty string is a declared value. */
  readonly canBeEmpty: boolean
}

const parametersOf = new WeakMap<HttpApiEndpoint.Top, ReadonlyMap<string, Parameter>>()

/** Parameters of an endpoint; cached. */
const declaredParameters = (endpoint: HttpApiEndpoint.Top): ReadonlyMap<string, Parameter> => {
  const known = parametersOf.get(endpoint)
  if (known !== undefined) return known
  const encoded = endpoint.query === undefined ? undefined : SchemaAST.toEncoded(endpoint.query.ast)
  const properties = encoded !== undefined && SchemaAST.isObjects(encoded) ? encoded.propertySignatures : []
  const parameters = new Map(properties.map(({ name, type }) => [String(name), parameterOf(type)]))
  parametersOf.set(endpoint, parameters)
  return parameters
}

const parameterOf = (type: SchemaAST.AST): Parameter => {
  const forms = SchemaAST.isUnion(type) ? type.types : [type]
  return {
    isOptional: SchemaAST.isOptional(type),
    isRepeatable: forms.some(SchemaAST.isArrays),
    canBeEmpty: forms.some((form) => SchemaAST.isLiteral(form) && form.literal === ""),
  }
}

/** Faults that schemas do not detect: unknown, repeated and empty parameters. */
export const queryFaults = (endpoint: HttpApiEndpoint.Top, query: Query): ReadonlyArray<InvalidIssue> => {
  const names = Object.keys(query)
  if (names.length === 0) return []
  const parameters = declaredParameters(endpoint)
  const faults: Array<InvalidIssue> = []
  for (const name of names) {
    const parameter = parameters.get(name)
    if (parameter === undefined) faults.push(unknownName("query", name, { known: [...parameters.keys()] }))
    else {
      const message = valueFault(parameter, query[name]!)
      if (message !== undefined) faults.push({ path: `query.${name}`, message })
    }
    if (faults.length > ISSUES_MAX) return firstIssues("query", faults)
  }
  return faults
}

const valueFault = (parameter: Parameter, value: string | ReadonlyArray<string>): string | undefined => {
  if (typeof value !== "string" && !parameter.isRepeatable)
    return "expected a single value, but it was sent more than once"
  if (parameter.canBeEmpty || (typeof value === "string" ? value !== "" : !value.includes(""))) return undefined
  return parameter.isOptional ? "expected a value; omit the parameter to not filter" : "expected a value"
}
