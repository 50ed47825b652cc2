/** Writes the generated files: `openapi.json`, the client's types of it, and `docs/errors.md`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { openApiText } from "../packages/service/fixtures/OpenApiExamples.ts"
import { errorListText } from "./ErrorList.ts"
import { generateClient } from "./generateClient.ts"

const root = join(import.meta.dirname, "..")

writeFileSync(join(root, "openapi.json"), openApiText)
generateClient()
writeFileSync(join(root, "docs", "errors.md"), await errorListText())
