import { join } from "node:path"
import { COMMANDS } from "../../../bundle/Commands.ts"

const ROOT = join(import.meta.dirname, "../../..")

type Command = keyof typeof COMMANDS

export const sourceFile = (command: Command): string => join(ROOT, COMMANDS[command])

/** The file of a command: that of the bundle that a test run has made, or else its source. */
export const commandFile = (command: Command): string => {
  const bundle = process.env.TEST_COMMANDS
  return bundle === undefined ? sourceFile(command) : join(bundle, `${command}.mjs`)
}
