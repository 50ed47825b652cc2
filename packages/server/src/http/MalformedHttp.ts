import type { Server } from "node:http"

/** What a request that is not HTTP is answered with. */
type MalformedAnswer = readonly [status: number, text: string, code: string, message: string]

/** The answers by the error code of Node, whose own have an empty body. */
const ANSWERS: Readonly<Record<string, MalformedAnswer>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "headers_too_large", "The headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "request_timeout", "The request took too long to arrive"],
}

const MALFORMED: MalformedAnswer = [400, "Bad Request", "malformed_http", "The request is not valid HTTP"]

/** Every answer to what never became a request. */
export const MALFORMED_ANSWERS: ReadonlyArray<MalformedAnswer> = [...Object.values(ANSWERS), MALFORMED]

/** Answers what never became a request with the envelope, and closes the connection. */
export const answerMalformedHttp = (server: Server): Server =>
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
    const [status, text, code, message] = ANSWERS[error.code ?? ""] ?? MALFORMED
    const body = JSON.stringify({ success: false, code, message, requestId: "" })
    const head = `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`
    socket.end(head + body)
  })
