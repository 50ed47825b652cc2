import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { fileSettings } from "@launch-registry/postgres/FileSettings"
import { Cause, Effect } from "effect"
import { type Command, readCommand, USAGE } from "@launch-registry/server/access/Command"
import { runCommand } from "@launch-registry/server/access/RunCommand"

const command: Command | undefined = readCommand(process.argv.slice(2))

if (command === undefined) {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
} else {
  // The message is all an operator needs; a stack would bury it.
  const main = Effect.tapCause(Effect.provide(runCommand(command), fileSettings), (cause) =>
    Effect.sync(() => {
      const error = Cause.squash(cause)
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    }),
  )
  NodeRuntime.runMain(main, { disableErrorReporting: true })
}
