import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { cpuMillisOf, residentMibOf } from "./Processes.ts"

const START_SECONDS_MAX = 120
const MAIN = "packages/service/src/main.ts"

export interface ServiceOptions {
  /** The repository of the service. */
  readonly checkout: string
  /** What is started, from there. */
  readonly main?: string
  readonly port: number
  readonly dataFolder: string
  /** Further settings. */
  readonly environment?: Readonly<Record<string, string>>
}

/** The service of a checkout as a separate process, everything embedded. Memory is read on Linux only. */
export class ServiceProcess {
  readonly url: string
  readonly #child: ChildProcess
  #output = ""

  private constructor({ checkout, dataFolder, environment, main = MAIN, port }: ServiceOptions) {
    this.url = `http://127.0.0.1:${port}`
    this.#child = spawn(process.execPath, [join(checkout, main)], {
      env: {
        ...{ PATH: process.env.PATH, PORT: String(port), DATA_FOLDER: dataFolder, LOG_LEVEL: "error" },
        CLONE_PROGRAMS: "off",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on("data", (chunk) => (this.#output = `${this.#output}${chunk}`.slice(-100_000)))
  }

  /** Resolves once it answers. */
  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    const service = new ServiceProcess(options)
    const deadline = Date.now() + START_SECONDS_MAX * 1000
    while (Date.now() < deadline && service.isRunning) {
      if (
        await fetch(`${service.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return service
      await pause(20)
    }
    await service.stop()
    throw new Error(`The service did not come up: ${service.output}`)
  }

  get pid(): number {
    return this.#child.pid!
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The end of its output. */
  get output(): string {
    return this.#output
  }

  /** From now on `peakMib` excludes earlier peaks. */
  resetPeak(): void {
    writeFileSync(`/proc/${this.#child.pid}/clear_refs`, "5")
  }

  get residentMib(): number {
    return this.#status("VmRSS")
  }

  get peakMib(): number {
    return this.#status("VmHWM")
  }

  /** CPU time so far, user and system. */
  get cpuMillis(): number {
    return cpuMillisOf(this.#child.pid!)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return
    const ended = once(this.#child, "exit")
    this.#child.kill("SIGTERM")
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 30_000)
    await ended
    clearTimeout(timer)
  }

  #status(field: "VmRSS" | "VmHWM"): number {
    return this.isRunning ? residentMibOf(this.#child.pid!, field) : Number.NaN
  }
}
