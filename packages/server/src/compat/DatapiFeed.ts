import type { Launch } from "@launch-registry/domain/launch/Launch"
import type { ShownChange } from "@launch-registry/domain/stream/ShownChange"
import { Cause, Context, Deferred, Effect, Fiber, Layer, type Scope, Stream } from "effect"
import { launchReads } from "../launch/Launches.ts"
import { ChangeFeed } from "../stream/ChangeFeed.ts"
import { POOL_PARTS, toPool } from "./DatapiPool.ts"
import type { DatapiReader } from "./DatapiReader.ts"
import { toTx } from "./DatapiTx.ts"

const TYPES: ReadonlySet<string> = new Set(["token", "trade", "graduation", "creator"])

type Followed = Extract<ShownChange, { readonly type: "token" | "trade" | "graduation" | "creator" }>

/** Pools that a change names. */
const poolsOf = (change: Followed): ReadonlyArray<string> =>
  change.type === "graduation" && change.migratedPool !== null ? [change.pool, change.migratedPool] : [change.pool]

/** Connections that one fiber tells. */
interface Audience {
  readonly readers: Set<DatapiReader>
  /** Once it has a position: what is committed from then on is told. */
  readonly isTold: Deferred.Deferred<void>
  fiber: Fiber.Fiber<void> | undefined
}

type UpdateType = "new" | "graduated" | "update"

const sendTo = (readers: Iterable<DatapiReader>, message: object) => {
  const [...concerned] = readers
  if (concerned.length === 0) return Effect.void
  const text = JSON.stringify(message)
  return Effect.forEach(concerned, (reader) => reader.send(text), { discard: true })
}

/** What several changes of a launch are to the template. */
const updateOf = (changes: ReadonlyArray<Followed>): UpdateType =>
  changes.some((change) => change.type === "graduation" && change.stage === "migrated")
    ? "graduated"
    : changes.some(({ type }) => type === "token")
      ? "new"
      : "update"

/**
 * Tells the connections of the template what changes. The stream of the index is followed once for all of them, while there are any, and
 * the launches that changed together are read once. Whoever may have missed something is disconnected: the template connects again.
 */
export class DatapiFeed extends Context.Service<
  DatapiFeed,
  {
    /** Tells a reader of all that is committed from now on, until the scope closes. */
    readonly join: (reader: DatapiReader) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@launch-registry/server/compat/DatapiFeed") {
  static readonly layer = (gatewayUrl: string) =>
    Layer.effect(
      DatapiFeed,
      Effect.gen(function* () {
        const feed = yield* ChangeFeed
        const launches = yield* launchReads
        const scope = yield* Effect.scope
        const newAudience = (): Audience => ({
          ...{ readers: new Set(), isTold: Deferred.makeUnsafe(), fiber: undefined },
        })
        let current = newAudience()

        const isFollowed = (readers: Audience["readers"], change: Followed): boolean =>
          readers
            .values()
            .some(
              (reader) =>
                reader.followsRecent ||
                reader.namesPool(poolsOf(change)) ||
                (change.mintAddress !== null && reader.followsTrades(change.mintAddress)),
            )

        const tellTrades = Effect.fnUntraced(function* (
          readers: Audience["readers"],
          launch: Launch | undefined,
          changes: ReadonlyArray<Followed>,
        ) {
          for (const change of changes) {
            if (change.type !== "trade") continue
            const concerned = readers.values().filter((reader) => reader.followsTrades(change.mintAddress))
            // One a message: the template takes the first of several for the newest in its table, and for the oldest in its chart.
            const data = [toTx(change, launch?.decimals ?? undefined)]
            yield* sendTo(concerned, { type: "actions", data })
          }
        })

        const tellUpdate = (readers: Audience["readers"], launch: Launch, changes: ReadonlyArray<Followed>) => {
          const pool = toPool(launch, gatewayUrl)
          const followed = { config: launch.config, pools: [launch.pool, pool.id] }
          const concerned = readers.values().filter((reader) => reader.follows(followed))
          return sendTo(concerned, { type: "updates", data: [{ type: updateOf(changes), pool }] })
        }

        const tell = Effect.fn("DatapiFeed.tell")(function* (
          readers: Audience["readers"],
          changes: ReadonlyArray<ShownChange>,
        ) {
          const followed = (changes as ReadonlyArray<Followed>).filter((change) => isFollowed(readers, change))
          const ofMints = Map.groupBy(followed, ({ mintAddress }) => mintAddress)
          ofMints.delete(null)
          if (ofMints.size === 0) return
          const found = yield* launches.ofMints([...ofMints.keys()] as ReadonlyArray<string>, POOL_PARTS)
          const launchOf = new Map<string | null, Launch>(found.map((launch) => [launch.mintAddress, launch]))
          for (const [mint, ofMint] of ofMints) {
            const launch = launchOf.get(mint)
            yield* tellTrades(readers, launch, ofMint)
            if (launch !== undefined) yield* tellUpdate(readers, launch, ofMint)
          }
        })

        const follow = (audience: Audience) =>
          feed.changes(TYPES).pipe(
            Effect.tap(() => Deferred.succeed(audience.isTold, undefined)),
            Effect.flatMap(Stream.runForEach((changes) => tell(audience.readers, changes))),
            Effect.scoped,
            Effect.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.failCause(cause)
                : Effect.logWarning("Telling the connections of the data API failed", cause),
            ),
            Effect.ensuring(
              Effect.sync(() => {
                if (current === audience) current = newAudience()
                for (const reader of audience.readers) reader.end()
                Deferred.doneUnsafe(audience.isTold, Effect.void)
              }),
            ),
          )

        const join = Effect.fnUntraced(function* (reader: DatapiReader) {
          const { isTold } = yield* Effect.acquireRelease(
            Effect.gen(function* () {
              const audience = current
              audience.readers.add(reader)
              audience.fiber ??= yield* Effect.forkIn(follow(audience), scope)
              return audience
            }),
            (audience) =>
              Effect.suspend(() => {
                audience.readers.delete(reader)
                if (audience !== current || audience.readers.size > 0) return Effect.void
                current = newAudience()
                return Fiber.interrupt(audience.fiber!)
              }),
          )
          yield* Deferred.await(isTold)
        })

        return DatapiFeed.of({ join })
      }),
    )
}
