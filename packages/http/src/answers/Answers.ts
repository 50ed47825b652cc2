import { requiredAccess } from "@launch-registry/domain/access/RequiredAccess"
import { Api } from "@launch-registry/domain/Api"
import { Effect, type Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { answerList, type List } from "./AnswerList.ts"
import { tagged, taggedText, type TaggedText } from "./Respond.ts"

declare const AnswerOf: unique symbol

/** A response of an endpoint with exactly this declared body. */
export interface Answer<Body> extends HttpServerResponse.HttpServerResponse {
  readonly [AnswerOf]: (body: Body) => Body
}

type Groups = typeof Api.groups
type Endpoints<Group extends keyof Groups> = Groups[Group]["endpoints"]

/** Handlers of a group. Only responses made with {@link answersOf} compile. */
export type Answering<Group extends keyof Groups> = {
  readonly [Id in keyof Endpoints<Group> & string]: (
    request: HttpApiEndpoint.Request<Endpoints<Group>[Id]>,
  ) => Effect.Effect<Answer<Body<Endpoints<Group>[Id]>>, unknown, unknown>
}

type Encoded<Success> = Success extends Schema.toCodecJson<infer Json> ? Json["Encoded"] : never
/** JSON body of the success of an endpoint. */
type Body<Endpoint> = Encoded<HttpApiEndpoint.Success<Endpoint>>

/** Fields that a handler provides; `success` is added. */
type Fields<Body> = Body extends { readonly success: true } ? Omit<Body, "success"> : never

type ListKey<Body> = Extract<keyof Body, "data" | "transactions">
type ItemOf<Body, Key extends PropertyKey> = Body extends { readonly [K in Key]: ReadonlyArray<infer Item> }
  ? Item
  : never

const statuses = new Map<object, number>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint, successes }) => {
    const status = [...successes.keys()].find((each) => each < 300)
    if (status !== undefined) statuses.set(endpoint, status)
  },
})

const taggedFields = (fields: object): TaggedText => tagged(JSON.stringify({ success: true, ...fields }))

/**
 * Responders of a group, typed by the declared success and with its status. Only types check responses: rows are
 * trusted, and nothing is encoded with a schema.
 */
export const answersOf = <Group extends keyof Groups>(group: Group) => {
  type Declared = Endpoints<Group>
  type Id = keyof Declared & string
  const endpoints: Readonly<Record<string, HttpApiEndpoint.Top>> = Api.groups[group].endpoints
  const isOpen = (id: Id): boolean => requiredAccess(endpoints[id]!) === "open"
  return {
    respond: <I extends Id>(id: I, fields: Fields<Body<Declared[I]>>, headers?: Readonly<Record<string, string>>) =>
      HttpServerResponse.jsonUnsafe(
        { success: true, ...(fields as object) },
        { status: statuses.get(endpoints[id]!), headers },
      ) as Answer<Body<Declared[I]>>,

    /** JSON with an ETag; 304 if the client has it. */
    respondTagged: <I extends Id>(
      _id: I,
      request: HttpServerRequest.HttpServerRequest,
      fields: Fields<Body<Declared[I]>>,
      cacheControl?: string,
    ) => taggedText(request.headers["if-none-match"], taggedFields(fields), cacheControl) as Answer<Body<Declared[I]>>,

    /** The same of what is read. */
    respondRead: <I extends Id, E, R>(
      _id: I,
      request: HttpServerRequest.HttpServerRequest,
      read: Effect.Effect<Fields<Body<Declared[I]>>, E, R>,
      cacheControl?: string,
    ) =>
      Effect.map(
        read,
        (fields) =>
          taggedText(request.headers["if-none-match"], taggedFields(fields), cacheControl) as Answer<Body<Declared[I]>>,
      ),

    respondList: <I extends Id, Key extends ListKey<Body<Declared[I]>>, P, E>(
      id: I,
      list: List<Key, ItemOf<Body<Declared[I]>, Key>, P, E>,
    ) => Effect.map(answerList(list, isOpen(id)), (response) => response as Answer<Body<Declared[I]>>),

    /** A response that is not JSON: events, or a page. */
    respondAs: <I extends Id>(_id: I, response: HttpServerResponse.HttpServerResponse) =>
      response as Answer<Body<Declared[I]>>,
  }
}
