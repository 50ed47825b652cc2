import { Api } from "@launch-registry/domain/Api"
import { Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

const UNKNOWN_ID = "00000000-0000-7000-8000-000000000000"
const UNKNOWN_ENDPOINT = "backup-99"

/** A place in a body or a query: its declaration, and a request with a value there. */
export interface Place {
  /** Dotted, as in an issue. */
  readonly path: string
  readonly ast: SchemaAST.AST
  /** A body or query with `value` at this place and nothing else. */
  readonly holding: (value: unknown) => unknown
}

/** An endpoint as the contract declares it. */
export interface DeclaredEndpoint {
  readonly name: string
  readonly method: string
  /** With path parameters that are invalid. */
  readonly url: string
  /** As it is declared. */
  readonly declaredPath: string
  readonly parameters: ReadonlyArray<Place>
  /** Every place in its JSON body, at any depth. */
  readonly body: ReadonlyArray<Place>
  readonly bodySchema: Schema.Constraint | undefined
}

const placesIn = (
  declared: SchemaAST.AST,
  path: string,
  holding: (value: unknown) => unknown,
): ReadonlyArray<Place> => {
  const ast = SchemaAST.toEncoded(declared)
  const here: Place = { path, ast, holding }
  if (SchemaAST.isObjects(ast))
    return [
      here,
      ...ast.propertySignatures.flatMap(({ name, type }) =>
        placesIn(type, `${path}.${String(name)}`, (value) => holding({ [String(name)]: value })),
      ),
    ]
  if (SchemaAST.isArrays(ast))
    return [here, ...ast.rest.flatMap((element) => placesIn(element, `${path}.0`, (value) => holding([value])))]
  return [here]
}

const bodyOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<Place> =>
  [...endpoint.payload.values()]
    .filter(({ encoding }) => encoding._tag === "Json")
    .flatMap(({ schemas }) => schemas.flatMap(({ ast }) => placesIn(ast, "body", (value) => value)))

const parametersOf = (query: Schema.Top | undefined): ReadonlyArray<Place> =>
  query === undefined ? [] : placesIn(query.ast, "query", (value) => value).slice(1)

/** Every endpoint of the contract. */
export const DECLARED: ReadonlyArray<DeclaredEndpoint> = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>).map((endpoint) => ({
    name: `${group.identifier}.${endpoint.identifier}`,
    method: endpoint.method as string,
    declaredPath: endpoint.path,
    url: endpoint.path.replace(":endpoint", UNKNOWN_ENDPOINT).replaceAll(/:\w+/g, UNKNOWN_ID),
    parameters: parametersOf(endpoint.query as Schema.Top | undefined),
    body: bodyOf(endpoint),
    bodySchema: endpoint.payload.values().next().value?.schemas[0],
  })),
)

/** The allowed values of a place with a closed set. */
export const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const forms = SchemaAST.isUnion(ast) ? ast.types : [ast]
  return forms.every((form) => SchemaAST.isLiteral(form)) ? forms.map(({ literal }) => String(literal)) : []
}
