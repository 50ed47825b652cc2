import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Mode, StandInOrder, StandInReport } from "./StandInMain.ts"

const MAIN = fileURLToPath(new URL("StandInMain.ts", import.meta.url))

interface Count {
  readonly at: number
  readonly calls: number
  readonly probes: number
}

/** A stand-in node that can be killed, stopped, and started again at the same port. */
export class StandIn {
  readonly id: number
  port = 0
  /** When the last call except probes arrived (ms since 1970). */
  lastCallAt = 0
  readonly #counts: Array<Count> = []
  #before = { calls: 0, probes: 0 }
  #process: ChildProcess | undefined
  #heard = new Map<string, () => void>()

  constructor(id: number) {
    this.id = id
  }

  /** Calls since the last start of the process. */
  get callsSinceStart(): number {
    return (this.#counts.at(-1)?.calls ?? 0) - this.#before.calls
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(genesisHash: string): Promise<void> {
    await this.prepare(genesisHash)
    await this.listen(this.port)
  }

  /** Starts the process, which takes longer than listening. */
  async prepare(genesisHash: string, slotsAhead = 0): Promise<void> {
    const last = this.#counts.at(-1)
    if (last !== undefined) this.#before = { calls: last.calls, probes: last.probes }
    const child = fork(MAIN, [String(this.id), genesisHash, String(slotsAhead)])
    this.#process = child
    child.on("message", (message: StandInReport) => {
      if (message === "ready" || message === "left") return this.#heard.get(message)?.()
      if ("port" in message) {
        this.port = message.port
        return this.#heard.get("port")?.()
      }
      const { calls, lastCallAt, probes } = message
      this.lastCallAt = Math.max(this.lastCallAt, lastCallAt)
      this.#counts.push({ at: Date.now(), calls: this.#before.calls + calls, probes: this.#before.probes + probes })
    })
    await this.#hears("ready")
  }

  async listen(port: number): Promise<void> {
    this.#process?.send({ listenAt: port } satisfies StandInOrder)
    await this.#hears("port")
  }

  /** Closes its port, and its connections one by one. */
  async leave(): Promise<void> {
    this.behave("leaving")
    await this.#hears("left")
  }

  #hears(message: string): Promise<void> {
    return new Promise((resolve) => this.#heard.set(message, resolve))
  }

  behave(mode: Mode): void {
    this.#process?.send(mode)
  }

  signal(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    this.#process?.kill(signal)
  }

  /** Requests received between two moments (ms since 1970), probes included. */
  between(from: number, to: number): { readonly calls: number; readonly probes: number } {
    const at = (moment: number) => this.#counts.findLast((count) => count.at <= moment) ?? { calls: 0, probes: 0 }
    const [start, end] = [at(from), at(to)]
    return { calls: end.calls - start.calls, probes: end.probes - start.probes }
  }

  stop(): void {
    this.signal("SIGCONT")
    this.signal("SIGKILL")
  }
}
