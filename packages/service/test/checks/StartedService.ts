import { Effect } from "effect"
import { answering, freePort, run } from "../RunningService.ts"

/** A service in a process of its own, until the scope closes. */
export const started = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = await freePort()
      const running = run({ ...environment, PORT: String(port) })
      const url = `http://127.0.0.1:${port}`
      await answering(running, url)
      return { running, port, url, pid: running.process.pid! }
    }),
    ({ running }) =>
      Effect.promise(async () => {
        running.process.kill("SIGTERM")
        await running.ended
      }),
  )
