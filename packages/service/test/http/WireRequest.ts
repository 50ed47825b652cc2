import { connect } from "node:net"
import { Effect } from "effect"
import { assertDeclared } from "../ContractCheck.ts"

/** An answer as received, and whether the server closed the connection afterwards. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** The answer in `text` to a sent request. */
const answerIn = (text: string, sent: string): WireAnswer => {
  const at = text.indexOf("\r\n\r\n")
  const [first = "", ...lines] = text.slice(0, at).split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ", 1)[0]!.toLowerCase(), line.replace(/^.*?: /, "")]),
  )
  const body = text.slice(at + 4)
  const status = Number(first.split(" ")[1])
  const [, method = "", url = "/"] = /^(\S+) (\S+)/.exec(sent) ?? []
  assertDeclared({ method, url, status, contentType: headers["content-type"], text: body })
  return { status, headers, body: body.startsWith("{") ? JSON.parse(body) : body }
}

/**
 * The answer of the server at `url` to these bytes, until it closes the connection. This side stays open and idle, so that
 * a server that only waits is waited for until the test's timeout.
 */
export const wireAnswer = (url: string, sent: string): Effect.Effect<WireAnswer> =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true }, () =>
          socket.write(sent),
        )
        let text = ""
        socket.setEncoding("latin1")
        socket.on("data", (chunk: string) => (text += chunk))
        socket.on("end", () => {
          resolve(text)
          socket.destroy()
        })
        socket.on("error", reject)
      }),
  ).pipe(Effect.map((text) => answerIn(text, sent)))
