import * as Database from "@launch-registry/postgres/Database"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { cordon, uncordon } from "../../src/command/CordonCommand.ts"
import { FollowCordonsLayer } from "../../src/cordons/FollowCordons.ts"

const DEAD_URL = Redacted.make("http://127.0.0.1:9")

/** The endpoints of a process whose way to the database is this one. */
const processOn = (database: ReturnType<typeof Database.layer>) =>
  Effect.map(
    Layer.build(
      FollowCordonsLayer.pipe(
        Layer.provideMerge(Rpc.layer({ urls: [DEAD_URL, DEAD_URL], genesisHash: ANY_GENESIS })),
        Layer.provide(database),
      ),
    ),
    (context) => Context.get(context, Rpc),
  )

const reasons = (rpc: Rpc["Service"]) =>
  Effect.map(rpc.report, ({ endpoints }) => endpoints.map((endpoint) => endpoint.cordon?.reason))

const untilReasons = (rpc: Rpc["Service"], wanted: ReadonlyArray<string | undefined>) =>
  Effect.gen(function* () {
    while (JSON.stringify(yield* reasons(rpc)) !== JSON.stringify(wanted)) yield* Effect.sleep(20)
  })

describe("Cordons", () => {
  it.live("of the command line reach every process, and stay while the database is away", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      const name = yield* TestDatabase.migrated
      const [near, far] = [
        yield* processOn(Database.layer(door.addressOf(name))),
        yield* processOn(Database.layer(door.addressOf(name))),
      ]
      const operator = Context.get(yield* Layer.build(Database.layer(door.addressOf(name))), SqlClient)
      const command = <A, E>(work: Effect.Effect<A, E, SqlClient>) => Effect.provideService(work, SqlClient, operator)

      yield* command(cordon("primary", "minutes behind"))
      for (const rpc of [near, far]) yield* untilReasons(rpc, ["minutes behind", undefined])
      yield* command(cordon("primary", "hours behind"))
      for (const rpc of [near, far]) yield* untilReasons(rpc, ["hours behind", undefined])

      door.shut("")
      // Reading fails at least once meanwhile.
      while (door.refused < 6) yield* Effect.sleep(20)
      for (const rpc of [near, far]) assert.deepStrictEqual(yield* reasons(rpc), ["hours behind", undefined])
      door.open()
      yield* command(Effect.retry(uncordon("primary"), Schedule.spaced(100)))
      for (const rpc of [near, far]) yield* untilReasons(rpc, [undefined, undefined])
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )
})
