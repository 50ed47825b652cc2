import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** A connection that sends raw text, well-formed or not. */
export interface RawConnection {
  readonly socket: Socket
  /** Everything received so far. */
  readonly received: () => string
  /** Waits until the received text matches. */
  readonly until: (pattern: RegExp) => Effect.Effect<string>
  /** Waits until the other side has closed the connection. */
  readonly closed: Effect.Effect<string>
}

/** Opens a connection to a server and sends `text`. */
export const openRaw = Effect.fnUntraced(function* (
  url: string,
  text: string | Buffer,
): Effect.fn.Return<RawConnection, never, Scope.Scope> {
  const { hostname, port } = new URL(url)
  let received = ""
  let isClosed = false
  const socket = connect(Number(port), hostname)
  socket.on("data", (chunk) => (received += chunk.toString("latin1"))).on("error", () => undefined)
  socket.on("close", () => (isClosed = true))
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  socket.write(text)
  const settled = (isSettled: () => boolean) =>
    Effect.callback<string>((resume) => {
      const look = () => {
        if (isSettled()) resume(Effect.succeed(received))
      }
      socket.on("data", look).on("close", look)
      look()
      return Effect.sync(() => socket.off("data", look).off("close", look))
    })
  return {
    ...{ socket, received: () => received },
    until: (pattern) => settled(() => pattern.test(received) || isClosed),
    closed: settled(() => isClosed),
  }
})

/** A request as text; with `body`, it has a Content-Length. */
export const requestText = (method: string, path: string, headers: Readonly<Record<string, string>>, body = "") => {
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: "localhost", ...length, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body}`
}

/** The bodies of consecutive answers, each with its status. */
export const answersIn = (
  received: string,
): ReadonlyArray<{ readonly status: number; readonly headers: string; readonly body: string }> => {
  const answers = []
  for (let rest = received; rest.startsWith("HTTP/1.1 ");) {
    const end = rest.indexOf("\r\n\r\n")
    const headers = rest.slice(0, end).toLowerCase()
    const length = Number(/^content-length: (\d+)/m.exec(headers)?.[1] ?? 0)
    answers.push({ status: Number(rest.slice(9, 12)), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
