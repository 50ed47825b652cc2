/** Writes the generated files that are committed: `openapi.json`, the client's types of it, `docs/errors.md` and `docs/licences.md`. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openApiText } from "../packages/service/fixtures/OpenApiExamples.ts"
import { contractText, type Document, operationsText } from "./ClientContract.ts"
import { errorListText } from "./ErrorList.ts"
import { licencesText } from "./Licences.ts"

const root = join(import.meta.dirname, "..")

writeFileSync(join(root, "openapi.json"), openApiText)
const generated = join(root, "packages", "client", "src", "generated")
mkdirSync(generated, { recursive: true })
const document: Document = JSON.parse(openApiText)
writeFileSync(join(generated, "Contract.ts"), contractText(document))
writeFileSync(join(generated, "Operations.ts"), operationsText(document))
mkdirSync(join(root, "docs"), { recursive: true })
writeFileSync(join(root, "docs", "errors.md"), await errorListText())
writeFileSync(join(root, "docs", "licences.md"), licencesText())
