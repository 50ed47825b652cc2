import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { Effect } from "effect"
import { announcedChain, answering, freePort, run } from "./RunningService.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

/** A service in a process of its own at a free port, until the scope closes; it may not answer yet. */
export const runningService = (environment: Readonly<Record<string, string>>, main?: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = await freePort()
      return { running: run({ PORT: String(port), ...environment }, main), port, url: `http://127.0.0.1:${port}` }
    }),
    ({ running }) =>
      Effect.promise(async () => {
        running.process.kill("SIGTERM")
        await running.ended
      }),
  )

/** The same, once it answers. */
export const startedService = (environment: Readonly<Record<string, string>>, main?: string) =>
  Effect.tap(runningService(environment, main), ({ running, url }) => Effect.promise(() => answering(running, url)))

/** A service with embedded parts in a folder of its own, and the program files of `programs`. */
export const localService = Effect.fnUntraced(function* (
  programs: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const folder = yield* temporaryFolder
  const LOCAL_CHAIN_PORT = String(yield* Effect.promise(freePort))
  const environment = { DATA_FOLDER: withNewCluster(folder), LOCAL_CHAIN_PORT, PROGRAMS_FOLDER: programs, ...settings }
  const service = yield* startedService(environment)
  return { ...service, folder, chainUrl: yield* Effect.promise(() => announcedChain(service.running)) }
})
