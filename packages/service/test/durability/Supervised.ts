import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { freePort, run, type Running } from "../RunningService.ts"

const PAUSE_MILLIS = 100
const OUTPUT_LENGTH_MAX = 2_000

/** A service whose process is replaced whenever it ends, as an orchestrator does. */
class Supervised {
  readonly url: string
  /** The output of processes that had started and ended by themselves. */
  readonly gaveUp: Array<string> = []
  readonly #environment: Readonly<Record<string, string>>
  #running: Running
  #isKilled = false
  #isStopping = false

  private constructor(port: number, environment: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`
    this.#environment = { ...environment, PORT: String(port) }
    this.#running = this.#launch()
  }

  static async start(environment: Readonly<Record<string, string>>): Promise<Supervised> {
    return new Supervised(await freePort(), environment)
  }

  #launch(): Running {
    const running = run(this.#environment)
    this.#isKilled = false
    void running.ended.then((how) => this.#replace(running, how))
    return running
  }

  async #replace(ended: Running, how: number | string): Promise<void> {
    if (this.#isStopping) return
    // A process that starts without a database may end; one that was up may not.
    const wasUp = ended.output().includes(" is up (")
    if (!this.#isKilled && wasUp) this.gaveUp.push(`ended with ${how}: ${ended.output().slice(-OUTPUT_LENGTH_MAX)}`)
    if (!this.#isKilled) await sleep(PAUSE_MILLIS)
    if (!this.#isStopping) this.#running = this.#launch()
  }

  /** `kill -9` of the current process. */
  async kill(): Promise<void> {
    this.#isKilled = true
    this.#running.process.kill("SIGKILL")
    await this.#running.ended
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#running.process.kill("SIGTERM")
    await this.#running.ended
  }
}

/** A service whose process is replaced when it ends, for the lifetime of the scope. */
export const supervised = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(() => Supervised.start(environment)),
    (service) => Effect.promise(() => service.stop()),
  )
