import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The options of Node.js that the container image sets. */
export const IMAGE_NODE_OPTIONS = /NODE_OPTIONS=(\S+)/.exec(
  readFileSync(join(import.meta.dirname, "../../Dockerfile"), "utf8"),
)![1]!
