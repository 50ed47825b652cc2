import { join } from "node:path"
import { COMMANDS } from "../../../bundle/Commands.ts"

const ROOT = join(import.meta.dirname, "../../..")

/** The file of a command: that of the bundle that a test run has made, or else its source. */
export const commandFile = (command: keyof typeof COMMANDS): string => {
  const bundle = process.env.TEST_COMMANDS
  return bundle === undefined ? join(ROOT, COMMANDS[command]) : join(bundle, `${command}.mjs`)
}
