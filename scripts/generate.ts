/** Writes the generated files that are committed: `openapi.json`, the client's types of it, `docs/errors.md`, `docs/licences.md` and `migrations/_schema.sql`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as Database from "../packages/postgres/src/Database.ts"
import { describeSchema } from "../migrations/src/DescribeSchema.ts"
import { embeddedPostgres } from "../packages/postgres/src/embedded/EmbeddedPostgres.ts"
import { migrate } from "../migrations/src/Migrate.ts"
import { openApiText } from "../packages/service/fixtures/OpenApiExamples.ts"
import { contractText, type Document, operationsText } from "./ClientContract.ts"
import { errorListText } from "./ErrorList.ts"
import { licencesText } from "./Licences.ts"

const root = join(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "registry-generate-"))

const schema = Effect.gen(function* () {
  const { address } = yield* embeddedPostgres({ folder, isThrowaway: true })
  return yield* Effect.provide(Effect.andThen(migrate(), describeSchema), Database.layer(address))
})

writeFileSync(join(root, "openapi.json"), openApiText)
const generated = join(root, "packages", "client", "src", "generated")
mkdirSync(generated, { recursive: true })
const document: Document = JSON.parse(openApiText)
writeFileSync(join(generated, "Contract.ts"), contractText(document))
writeFileSync(join(generated, "Operations.ts"), operationsText(document))
mkdirSync(join(root, "docs"), { recursive: true })
writeFileSync(join(root, "docs", "errors.md"), await errorListText())
writeFileSync(join(root, "docs", "licences.md"), licencesText())
writeFileSync(join(root, "migrations", "_schema.sql"), await Effect.runPromise(Effect.scoped(schema)))
rmSync(folder, { recursive: true, force: true })
