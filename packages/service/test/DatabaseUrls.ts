import type { EmbeddedServer } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { inject } from "vitest"

/** `DATABASE_URL` of an embedded server. */
export const urlOf = ({ database, socketDirectory, username }: EmbeddedServer["address"]): string =>
  `postgres://${username}@localhost/${database}?host=${socketDirectory}`

/** `DATABASE_URL` of a database of the run's server. */
export const testUrlOf = (database: string): string =>
  urlOf({ database, socketDirectory: inject("postgresSockets"), username: inject("postgresUsername") })
