/** Writes `packages/client/src/generated`, which git does not have, from `openapi.json`: after an install, and before the client is built. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contractText, type Document, operationsText } from "./ClientContract.ts"

const ROOT = join(import.meta.dirname, "..")

export const generateClient = (): void => {
  const document: Document = JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"))
  const folder = join(ROOT, "packages", "client", "src", "generated")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "Contract.ts"), contractText(document))
  writeFileSync(join(folder, "Operations.ts"), operationsText(document))
}

if (import.meta.main) generateClient()
