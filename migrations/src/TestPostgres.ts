import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { clonedDatabase } from "./ClonedDatabase.ts"
import { migrate } from "./Migrate.ts"
import { keepNewCluster } from "./NewCluster.ts"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgresSockets: string
    readonly postgresUsername: string
    readonly postgresTemplate: string
    /** Sockets of a running server to use instead, whose superuser is `registry`; see `scripts/postgres-check`. */
    readonly otherPostgresSockets: string | undefined
  }
}

/** A server of the run. Suites that start servers of their own begin with its cluster. */
const ownServer = (folder: string) =>
  Effect.gen(function* () {
    const options = { folder, isThrowaway: true }
    yield* Effect.scoped(embeddedPostgres(options))
    keepNewCluster(folder)
    return yield* embeddedPostgres(options)
  })

/** A database on another server. */
const otherDatabase = (socketDirectory: string) => {
  const server = { socketDirectory, username: "registry" }
  return Effect.map(clonedDatabase(server, `template_${process.pid}`, "template0"), (database) => ({
    address: { ...server, database },
  }))
}

/**
 * Global set-up of the tests: one PostgreSQL server per run, on temporary files, or another one, with a migrated database that
 * suites clone.
 */
export default async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  // Each project of the runner calls this; what is provided is for all of them.
  if (project.getProvidedContext().postgresSockets !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), "registry-test-"))
  const scope = Effect.runSync(Scope.make())
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const other = project.getProvidedContext().otherPostgresSockets
    const server = other === undefined ? ownServer(folder) : otherDatabase(other)
    const { address } = await Effect.runPromise(Scope.provide(server, scope))
    await Effect.runPromise(Effect.provide(migrate(), Database.layer(address)))
    project.vitest.provide("postgresSockets", address.socketDirectory)
    project.vitest.provide("postgresUsername", address.username)
    project.vitest.provide("postgresTemplate", address.database)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
