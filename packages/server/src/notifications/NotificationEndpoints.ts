import { TooMany } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import {
  type EndpointChange,
  type EndpointDraft,
  NotificationEndpoint,
} from "@launch-registry/domain/notifications/NotificationEndpoint"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { columnsOf, picking, type RowOf } from "@launch-registry/postgres/SchemaRow"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { endpointOwner, isOfWallet, isOwn } from "./EndpointOwner.ts"
import { checkedUrl } from "./EndpointUrl.ts"
import type { HostAddresses } from "../outgoing/HostAddresses.ts"
import { ENDPOINTS_MAX, ENDPOINTS_PER_OWNER_MAX, type NotificationOptions } from "./NotificationOptions.ts"
import { secretText } from "./SigningSecret.ts"
import { storedMessages } from "./StoredMessages.ts"

/** Endpoints of an owner, disabled ones included, for each that may be enabled. */
const ROWS_PER_PLACE = 2
/** A previous secret signs too for so long. */
const PREVIOUS_SECRET_MILLIS = 24 * 3_600_000

/** Columns of an endpoint, of table alias `e`. */
export const ENDPOINT_COLUMNS = columnsOf("e", Object.keys(NotificationEndpoint.fields), {
  failingSince: "e.failing_since",
  skippedMessages: "e.skipped_messages::text",
})

/** An endpoint as the driver gives it. */
export type EndpointRow = Omit<RowOf<NotificationEndpoint>, "failingSince"> & { readonly failingSince: Date | null }

export const toEndpoint: (row: EndpointRow) => NotificationEndpoint = picking(NotificationEndpoint.fields) as never

export const positionOf = ({ createdAt, id }: EndpointRow): Position => ({ createdAt, id })

/** Endpoints, as their owners manage them. Each method acts for the caller of the request. */
export const notificationEndpoints = Effect.fnUntraced(function* (
  options: NotificationOptions,
  addresses: HostAddresses,
) {
  const { allowsPrivate, endpointsMax = ENDPOINTS_MAX, masterSecrets } = options
  const { endpointsPerOwnerMax = ENDPOINTS_PER_OWNER_MAX } = options
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const { failPending } = yield* storedMessages
  const ids = new UuidV7()
  const columns = sql.literal(ENDPOINT_COLUMNS)
  const nowDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const latestChange = sql`(select coalesce(max(id), 0) from index_changes)`
  const own = isOwn(sql)
  const isWallet = isOfWallet(sql)

  /**
   * Whether an owner may enable one more endpoint. Those of wallets take no places of each other, nor of API keys and admins: they
   * share what is done for them. Disabled ones count for their owner alone, so that rows are bounded as well.
   */
  const checkRoom = Effect.fnUntraced(function* (owner: string, added: "enabled" | "created") {
    const [count] = yield* sql<{ readonly own: bigint; readonly all: bigint; readonly operators: bigint }>`
      select count(*) filter (where e.owner = ${owner} and e.state = 'enabled') as own,
        count(*) filter (where e.owner = ${owner}) as all, count(*) filter (where not ${isWallet} and e.state = 'enabled') as operators
      from notification_endpoints e
      where e.state <> 'deleted' and (e.owner = ${owner} or (e.state = 'enabled' and not ${isWallet}))`
    const [limit, rowsMax] = [endpointsPerOwnerMax, ROWS_PER_PLACE * endpointsPerOwnerMax]
    if (Number(count!.own) >= limit) return yield* new TooMany({ resource: "endpoints", limit })
    if (added === "created" && Number(count!.all) >= rowsMax)
      return yield* new TooMany({ resource: "endpoints", limit: rowsMax })
    if (!owner.startsWith("wallet:") && Number(count!.operators) >= endpointsMax)
      return yield* new TooMany({ resource: "endpoints_of_service", limit: endpointsMax })
  })
  const firstOf = <Row>(id: string, [row]: ReadonlyArray<Row>) =>
    row === undefined ? Effect.fail(new NotFound({ resource: "endpoint", id })) : Effect.succeed(row)

  /** With a URL that was checked. The signing secret is derived each time. */
  const create = Effect.fn("NotificationEndpoints.create")(function* (draft: EndpointDraft) {
    const { owner } = yield* endpointOwner
    const now = yield* nowDate
    const id = ids.next(now.getTime())
    const { description = "", mintAddresses = [], types, url } = draft
    return yield* Effect.gen(function* () {
      // Events begin now, also if nothing has followed the index yet. One creation at a time: no two count the same endpoints.
      yield* sql`
        update server_progress set change_id = coalesce(change_id, ${latestChange}) where name = 'notifications'`
      yield* checkRoom(owner, "created")
      const [row] = yield* sql<EndpointRow>`
        insert into notification_endpoints as e (id, owner, url, description, types, mint_addresses, state, secret_version,
          after_change, is_skipping, skipped_messages, created_at, updated_at)
        values (${id}::uuid, ${owner}, ${url}, ${description}, ${[...new Set(types)]}::text[],
          ${[...new Set<string>(mintAddresses)]}::text[], 'enabled', 1, ${latestChange}, false, 0, ${now}, ${now})
        returning ${columns}`
      return { ...toEndpoint(row!), secret: secretText(masterSecrets[0]!, { endpointId: id, version: 1 }) }
    }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
  })

  const list = Effect.fn("NotificationEndpoints.list")(function* ({ after, limit, offset }: RowRange) {
    const isAfter =
      after === undefined ? sql`true` : sql`(e.created_at, e.id) < (${after.createdAt}, ${after.id}::uuid)`
    return yield* sql<EndpointRow>`
      select ${columns} from notification_endpoints e where ${yield* own} and ${isAfter}
      order by e.created_at desc, e.id desc limit ${limit} offset ${offset}`.pipe(Effect.orDie)
  })

  const get = Effect.fn("NotificationEndpoints.get")(function* (id: string) {
    const rows = yield* sql<EndpointRow>`
      select ${columns} from notification_endpoints e where e.id = ${id}::uuid and ${yield* own}`.pipe(Effect.orDie)
    return yield* firstOf(id, rows)
  })

  /** With a URL that was checked. */
  const update = Effect.fn("NotificationEndpoints.update")(function* (id: string, change: EndpointChange) {
    const now = yield* nowDate
    const isOwned = yield* own
    const { enabled, mintAddresses, types, ...texts } = change
    const changed = {
      ...texts,
      ...(types && { types: sql`${[...new Set(types)]}::text[]` }),
      ...(mintAddresses && { mint_addresses: sql`${[...new Set<string>(mintAddresses)]}::text[]` }),
    }
    const sets = Object.entries(changed).map(([name, value]) => sql`${sql(name)} = ${value}`)
    return yield* Effect.gen(function* () {
      // As at creation: what is being followed now ends before its events begin. Locked first, as by all others.
      if (enabled === true) yield* sql`select from server_progress where name = 'notifications' for update`
      const { owner, state } = yield* firstOf(
        id,
        yield* sql<EndpointRow>`
          select e.owner, e.state from notification_endpoints e where e.id = ${id}::uuid and ${isOwned} for no key update`,
      )
      if (enabled === true && state === "disabled") {
        yield* checkRoom(owner, "enabled")
        sets.push(sql`state = 'enabled', disabled_reason = null, failing_since = null, last_failed_at = null,
          is_skipping = false, after_change = ${latestChange}`)
      }
      if (enabled === false && state === "enabled") {
        sets.push(sql`state = 'disabled', disabled_reason = 'by_owner'`)
        yield* failPending(id, now)
      }
      const [row] = yield* sql<EndpointRow>`
        update notification_endpoints e set ${sql.csv([...sets, sql`updated_at = ${now}`])} where e.id = ${id}::uuid
        returning ${columns}`
      return row!
    }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
  })

  /** It is gone for everyone at once; its rows are deleted when messages are swept. */
  const remove = Effect.fn("NotificationEndpoints.remove")(function* (id: string) {
    const rows = yield* sql<{ readonly id: string }>`
      update notification_endpoints e set state = 'deleted', disabled_reason = null, updated_at = ${yield* nowDate}
      where e.id = ${id}::uuid and ${yield* own} returning e.id`.pipe(Effect.orDie)
    yield* firstOf(id, rows)
  })

  const rotateSecret = Effect.fn("NotificationEndpoints.rotateSecret")(function* (id: string) {
    const now = yield* nowDate
    const { after } = yield* moment
    const rows = yield* sql<{ readonly secretVersion: number; readonly previousSecretUntil: Date }>`
      update notification_endpoints e set secret_version = e.secret_version + 1, updated_at = ${now},
        previous_secret_until = ${after(PREVIOUS_SECRET_MILLIS)}
      where e.id = ${id}::uuid and ${yield* own} returning e.secret_version, e.previous_secret_until`.pipe(Effect.orDie)
    const { previousSecretUntil, secretVersion } = yield* firstOf(id, rows)
    return {
      secret: secretText(masterSecrets[0]!, { endpointId: id, version: secretVersion }),
      previousSecretUntil: previousSecretUntil.toISOString(),
    }
  })

  return {
    /** The URL in its normal form. Asks name servers, so it stands before a transaction. */
    checkUrl: (url: string) => checkedUrl(url, allowsPrivate, addresses),
    ...{ create, list, get, update, remove, rotateSecret },
  }
})
