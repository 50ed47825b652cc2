import * as Database from "@launch-registry/postgres/Database"
import { commandDatabase } from "@launch-registry/postgres/embedded/CommandDatabase"
import { Console, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { auditLog, type AuditRow } from "./AuditLog.ts"
import { type ApiKeyRow, apiKeyStatements, type MadeKey } from "./ApiKeys.ts"
import type { Command } from "./Command.ts"

/** There is no key with this id that is in use. */
class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { id: Schema.String }) {
  override get message(): string {
    return `No key with the id ${this.id} is in use`
  }
}

const time = (at: Date | null): string => at?.toISOString() ?? "never"

const endOf = ({ expiresAt, revokedAt }: ApiKeyRow): string =>
  revokedAt === null ? `ends ${time(expiresAt)}` : `revoked ${time(revokedAt)}`

const keyLine = (key: ApiKeyRow): string =>
  [
    ...[key.id, JSON.stringify(key.name), key.scopes.join(",")],
    ...[`created ${time(key.createdAt)}`, `used ${time(key.lastUsedAt)}`, endOf(key)],
  ].join("  ")

const auditLine = ({ at, callerId, callerKind, callerName, reason, ...row }: AuditRow) => {
  const { method, requestId, route, status, subject } = row
  return JSON.stringify({
    ...{ at: at.toISOString(), caller: `${callerKind}:${callerId}`, ...(callerName && { name: callerName }) },
    ...{ method, route, subject, ...(reason !== null && { reason }), status, requestId },
  })
}

/** The key alone goes to standard output, so that it can be piped into a secret store. */
const print = ({ id, text }: MadeKey) =>
  Effect.andThen(
    Console.error(`Key ${id}. It is not shown again:`),
    Effect.sync(() => process.stdout.write(`${Redacted.value(text)}\n`)),
  )

const run = Effect.fnUntraced(function* (command: Command) {
  const sql = yield* SqlClient
  const keys = apiKeyStatements(sql)
  switch (command.name) {
    case "create":
      return yield* print(yield* keys.create({ ...command, name: command.keyName }))
    case "list":
      for (const key of yield* keys.list) yield* Console.log(keyLine(key))
      return
    case "rotate": {
      const made = yield* keys.rotate(command.id, command.overlapHours)
      return yield* made === undefined ? new KeyNotFound({ id: command.id }) : print(made)
    }
    case "revoke":
      if (!(yield* keys.revoke(command.id))) return yield* new KeyNotFound({ id: command.id })
      return yield* Console.error(`Key ${command.id} is revoked`)
    case "audit":
      for (const row of yield* auditLog(sql).list({}, { limit: command.limit })) yield* Console.log(auditLine(row))
  }
})

const database = Layer.unwrap(Effect.map(commandDatabase, Database.layer))

export const runCommand = (command: Command) => Effect.scoped(Effect.provide(run(command), database))
