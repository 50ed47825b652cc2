import type { Server } from "node:http"

/** Status lines of the answers to requests that are not HTTP; Node's own have an empty body. */
const STATUS: Readonly<Record<string, readonly [status: number, text: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "headers_too_large", "The headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "request_timeout", "The request took too long to arrive"],
}

/** Answers what never became a request with the envelope, and closes the connection. */
export const answerMalformedHttp = (server: Server): Server =>
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
    const [status, text, code, message] = STATUS[error.code ?? ""] ?? [
      400,
      "Bad Request",
      "malformed_http",
      "The request is not valid HTTP",
    ]
    const body = JSON.stringify({ success: false, code, message, requestId: "" })
    const head = `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`
    socket.end(head + body)
  })
