import { answering, freePort, run, type Running } from "./RunningService.ts"

/** A service that is killed or stopped, and started again at the same URL. */
export class Replica {
  readonly url: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #outputs: Array<() => string> = []
  #running: Running | undefined

  private constructor(url: string, environment: Readonly<Record<string, string>>) {
    this.url = url
    this.#environment = environment
  }

  static async of(environment: Readonly<Record<string, string>>): Promise<Replica> {
    const port = await freePort()
    return new Replica(`http://127.0.0.1:${port}`, { ...environment, PORT: String(port) })
  }

  async start(): Promise<void> {
    const running = run(this.#environment)
    this.#outputs.push(running.output)
    await answering(running, this.url)
    this.#running = running
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    running?.process.kill("SIGKILL")
    await running?.ended
  }

  /** Asks the process to stop; its exit code. */
  async stop(): Promise<number | string | undefined> {
    const running = this.#running
    this.#running = undefined
    running?.process.kill("SIGTERM")
    return running?.ended
  }

  /** The output of all its processes. */
  get output(): string {
    return this.#outputs.map((output) => output()).join("")
  }
}
