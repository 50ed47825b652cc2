import { connect, type Socket } from "node:net"

const HEAD_END = Buffer.from("\r\n\r\n")
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)\r\n/i

/**
 * One connection that sends a POST and waits for its answer, repeatedly. It implements only that much of HTTP: senders share
 * the processors with the receiver, and a full client would use as much of them as the receiver does.
 */
export class HttpSender {
  readonly #socket: Socket
  readonly #head: string
  #received: Buffer = Buffer.alloc(0)
  #answered: (status: number) => void = () => {}
  #failed: (error: Error) => void = () => {}

  private constructor(socket: Socket, head: string) {
    this.#socket = socket
    this.#head = head
    socket.on("data", (chunk) => this.#receive(chunk))
    socket.on("error", (error) => this.#failed(error))
    socket.on("close", () => this.#failed(new Error("the connection was closed")))
  }

  static readonly open = (url: URL, path: string, headers: Readonly<Record<string, string>>): Promise<HttpSender> => {
    const lines = Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST ${path} HTTP/1.1\r\n${lines.join("")}content-length: `
    return new Promise((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
      socket.once("error", reject)
      socket.once("connect", () => resolve(new HttpSender(socket.off("error", reject), head)))
    })
  }

  /** The status of the answer, once it is complete. */
  post(body: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.cork()
      this.#socket.write(`${this.#head}${body.length}\r\n\r\n`, "latin1")
      this.#socket.write(body)
      this.#socket.uncork()
    })
  }

  #receive(chunk: Buffer): void {
    const received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    this.#received = received
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = received.toString("latin1", 0, headEnd + 2)
    const length = CONTENT_LENGTH.exec(head)?.[1]
    if (length === undefined) return this.#failed(new Error("an answer of no known length"))
    if (received.length < headEnd + HEAD_END.length + Number(length)) return
    this.#received = Buffer.alloc(0)
    this.#answered(Number(head.slice(9, 12)))
  }
}
