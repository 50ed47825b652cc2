import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A folder that is deleted with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-service-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
)
