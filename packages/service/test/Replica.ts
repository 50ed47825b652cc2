import { answering, freePort, run, type Running } from "./RunningService.ts"

/** A service that is killed and restarted at the same URL. */
export class Replica {
  readonly url: string
  kills = 0
  readonly #environment: Readonly<Record<string, string>>
  #outputs: Array<() => string> = []
  #running: Running | undefined
  #restarting = Promise.resolve()

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

  /** `kill -9`, without a restart. */
  async kill(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    running?.process.kill("SIGKILL")
    await running?.ended
  }

  /** `kill -9` and a restart; nothing while one is starting. */
  crash(): void {
    if (this.#running === undefined) return
    this.kills++
    this.#restarting = this.kill().then(() => this.start())
  }

  /** Whether a started process exists. */
  get isUp(): boolean {
    return this.#running !== undefined
  }

  /** Resolves when a starting process is up. */
  get up(): Promise<void> {
    return this.#restarting
  }

  /** Asks the process to stop; its exit code. */
  async stop(): Promise<number | string | undefined> {
    await this.#restarting
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
