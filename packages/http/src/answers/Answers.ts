import { Api } from "@launch-registry/domain/Api"
import { Effect, type Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { answerList, type List } from "./AnswerList.ts"
import { taggedResponse } from "./Respond.ts"

declare const AnswerOf: unique symbol

/** A response to an endpoint that declares this body, no other and no part of it. */
export interface Answer<Body> extends HttpServerResponse.HttpServerResponse {
  readonly [AnswerOf]: (body: Body) => Body
}

type Groups = typeof Api.groups
type Endpoints<Group extends keyof Groups> = Groups[Group]["endpoints"]

/** Handlers of a group that answer with what {@link answersOf} it made: any other response does not compile. */
export type Answering<Group extends keyof Groups> = {
  readonly [Id in keyof Endpoints<Group> & string]: (
    request: HttpApiEndpoint.Request<Endpoints<Group>[Id]>,
  ) => Effect.Effect<Answer<Body<Endpoints<Group>[Id]>>, unknown, unknown>
}

type Encoded<Success> = Success extends Schema.toCodecJson<infer Json> ? Json["Encoded"] : never
/** The JSON of a success of an endpoint. */
type Body<Endpoint> = Encoded<HttpApiEndpoint.Success<Endpoint>>

/** What a handler gives of a body; a success says of itself that it is one. */
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

/**
 * What the endpoints of a group answer with, typed by the success that each declares, and with its status. The types are all there
 * is to it: rows are trusted, and no answer passes through a schema.
 */
export const answersOf = <Group extends keyof Groups>(group: Group) => {
  type Declared = Endpoints<Group>
  type Id = keyof Declared & string
  const endpoints: Readonly<Record<string, object>> = Api.groups[group].endpoints
  return {
    respond: <I extends Id>(id: I, fields: Fields<Body<Declared[I]>>, headers?: Readonly<Record<string, string>>) =>
      HttpServerResponse.jsonUnsafe(
        { success: true, ...(fields as object) },
        { status: statuses.get(endpoints[id]!), headers },
      ) as Answer<Body<Declared[I]>>,

    /** A single resource: with an ETag of its content, and not again to a caller who has it. */
    respondResource: <I extends Id>(
      _id: I,
      request: HttpServerRequest.HttpServerRequest,
      fields: Fields<Body<Declared[I]>>,
    ) => taggedResponse(request, { success: true, ...(fields as object) }) as Answer<Body<Declared[I]>>,

    respondList: <I extends Id, Key extends ListKey<Body<Declared[I]>>, P, E>(
      _id: I,
      list: List<Key, ItemOf<Body<Declared[I]>, Key>, P, E>,
    ) => Effect.map(answerList(list), (response) => response as Answer<Body<Declared[I]>>),

    /** A response that is not JSON, as it is: events, or a page. */
    respondAs: <I extends Id>(_id: I, response: HttpServerResponse.HttpServerResponse) =>
      response as Answer<Body<Declared[I]>>,
  }
}
