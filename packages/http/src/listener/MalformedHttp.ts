import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { MalformedHttp } from "@launch-registry/domain/http/EdgeErrors"
import { RequestTimeout } from "@launch-registry/domain/http/LimitErrors"
import type { ErrorResponse } from "@launch-registry/domain/http/ErrorEnvelope"
import { Effect, Schema } from "effect"
import { interceptRequests } from "./InterceptRequests.ts"
import { finalResponse, rejectConnection } from "./RawResponse.ts"

/** Response to malformed or unsupported HTTP. */
type MalformedAnswer = readonly [status: number, code: string, message: string]

const declared = <E>(response: ErrorResponse<E>, error: E): MalformedAnswer => {
  const { code, message } = Effect.runSync(Schema.encodeEffect(response)(error))
  return [response.httpStatus, code, message]
}

const MALFORMED = declared(MalformedHttp.response, new MalformedHttp())

/** Responses by Node's error code, whose own have an empty body. */
const ANSWERS: Readonly<Record<string, MalformedAnswer>> = {
  HPE_HEADER_OVERFLOW: [431, MALFORMED[1], "The headers are too large"],
  HPE_INVALID_URL: [
    MALFORMED[0],
    MALFORMED[1],
    "The request target is not a valid URL: what is not visible ASCII has to be percent-encoded, as UTF-8",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: declared(RequestTimeout.response, new RequestTimeout()),
}

const UNEXPECTED: MalformedAnswer = [417, MALFORMED[1], "The Expect header asks for something other than 100-continue"]
const NO_PROXY: MalformedAnswer = [501, MALFORMED[1], "CONNECT is not supported"]

/** Every response from before a request is parsed. */
export const MALFORMED_ANSWERS: ReadonlyArray<MalformedAnswer> = [
  ...Object.values(ANSWERS),
  ...[MALFORMED, UNEXPECTED, NO_PROXY],
]

/** Start of a target in absolute form (RFC 9112, section 3.2.2), without user information. */
const AUTHORITY = /^https?:\/\/[^/?#@\\]+(?=[/?]|$)/i

/** What Node's parser accepts, and its server without {@link MALFORMED_HTTP_OPTIONS} would not, or the router would take for a path. */
const faultOf = ({ headers, httpVersion, method, url = "" }: IncomingMessage): string | undefined => {
  if (headers.host === undefined && httpVersion !== "1.0") return "The request has no Host header"
  const isTarget = url.startsWith("/") || AUTHORITY.test(url) || (url === "*" && method === "OPTIONS")
  if (isTarget && !url.includes("#")) return undefined
  return "The request target is neither a path nor an http URI, or has a fragment (#)"
}

/** Node's own response to a missing Host has an empty body. */
export const MALFORMED_HTTP_OPTIONS: ServerOptions = { requireHostHeader: false }

/** Time for a client to read the response and close its connection. */
const LINGER_MILLIS = 2_000

/**
 * Responds to malformed requests with the envelope, and closes the connection. Must be the outermost interceptor of a
 * server made with {@link MALFORMED_HTTP_OPTIONS}.
 */
export const answerMalformedHttp = (server: Server): Server => {
  const lastAnswers = new WeakMap<Duplex, ServerResponse>()
  /** Connections that end with an answer of ours: what follows there is not answered. */
  const refused = new WeakSet<Duplex>()
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const last = lastAnswers.get(socket)
    const isAnswering = last !== undefined && last.headersSent && !last.writableFinished
    if (refused.has(socket)) return
    // In the middle of a response, another one would be read as part of it.
    if (!socket.writable || error.code === "ECONNRESET" || isAnswering) return void socket.destroy()
    refuseRaw(socket, ANSWERS[error.code ?? ""] ?? MALFORMED)
  })
  server.on("connect", (_request, socket) => refuseRaw(socket, NO_PROXY))
  server.on("checkExpectation", (_request, response) => refuse(response, UNEXPECTED))

  return interceptRequests(server, (request, response, next) => {
    const fault = faultOf(request)
    if (fault !== undefined) {
      refused.add(request.socket)
      return refuse(response, [MALFORMED[0], MALFORMED[1], fault])
    }
    // As text: a parsed URI would normalize `/./` and `\`.
    request.url = request.url!.replace(AUTHORITY, "").replace(/^(?![/*])/, "/")
    lastAnswers.set(request.socket, response)
    next()
  })
}

const answerOf = ([, code, message]: MalformedAnswer) => finalResponse({ success: false, code, message, requestId: "" })

const refuse = (response: ServerResponse, answer: MalformedAnswer): void => {
  const { body, headers } = answerOf(answer)
  response.writeHead(answer[0], headers).end(body)
}

const refuseRaw = (socket: Duplex, answer: MalformedAnswer): void =>
  rejectConnection(socket, answer[0], answerOf(answer), LINGER_MILLIS)
