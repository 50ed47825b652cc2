import { statSync } from "node:fs"
import { ANY_GENESIS, GENESIS_HASH } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { INDEXER_LEASE } from "@launch-registry/domain/system/LeaderReport"
import { Config, Console, Effect, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ChainHistory } from "../sources/ChainHistory.ts"
import { coverageStatements } from "../finality/CoverageStatements.ts"
import { Reconciler } from "../finality/Reconciler.ts"
import { gapsOf } from "../sources/SlotRanges.ts"
import { heliusRpcUrl } from "../helius/HeliusRpcUrl.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { assertSameChain, type ChainIdentity, identityStatements } from "../identity/ChainIdentity.ts"
import { forgetChain } from "../identity/ForgetChain.ts"
import { IngestLog } from "../inbox/IngestLog.ts"
import { joinBodies, type ReadBody, readBody } from "../inbox/ReadBody.ts"
import { Indexer } from "../Indexer.ts"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { digestOf, isSameDigest, type TableDigest } from "../replay/Digest.ts"
import { catchUpOwn, rebuild, replay } from "../replay/Rebuild.ts"
import type { ReplayProgress } from "../replay/ReplayProgress.ts"
import { prunedSlots } from "../retention/PrunedSlots.ts"
import { reopenLog } from "../retention/ReopenLog.ts"
import { Sink } from "../sink/Sink.ts"
import { finalizedHistory } from "../sources/FinalizedHistory.ts"
import { bodiesOf, filesOf } from "../sources/TransactionFiles.ts"
import type { Command } from "./Command.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { commandIndex } from "./CommandIndex.ts"
import { cordon, printCordons, uncordon } from "./CordonCommand.ts"
import { forgoHistory } from "./ForgoHistoryCommand.ts"
import { COMMAND_NAME, leading } from "./LeadingCommand.ts"
import { printHistory, resendHistory, verifyHistory } from "./HistoryCommand.ts"
import { progressBar } from "./ProgressBar.ts"
import { repair } from "./RepairCommand.ts"

/** Renewed by the transaction while it runs; this covers the time around it. */
const FORGET_LEASE_MILLIS = 60_000
const ASK_MILLIS = 100
const ASK_TRIES = 50
const GROUP_TRANSACTIONS = 1_000
const GROUP_BYTES = 16 * 1024 * 1024

/** A setting that has no default. */
const setting = (name: string) =>
  Effect.mapError(Config.Redacted(name), () => new CommandFailed({ reason: `${name} has to be set` }))

const networkSetting = Effect.mapError(
  Config.schema(Schema.Literals(["mainnet", "devnet", "localnet"]), "NETWORK"),
  () => new CommandFailed({ reason: "NETWORK has to be mainnet, devnet or localnet" }),
)

/** Shows how far a replay is. */
const replayBar = Effect.fnUntraced(function* (what: string) {
  const show = yield* progressBar(what)
  return ({ copiedSlot, headOffset, logOffset, transactions }: ReplayProgress) =>
    show(
      Number(logOffset),
      Number(headOffset),
      copiedSlot === undefined ? `${transactions} transactions` : `facts up to slot ${copiedSlot}`,
    )
})

/** Tables of other modules are derived again first. */
const rebuildDue = Effect.fnUntraced(function* (fence: Fence) {
  yield* rebuild(fence, yield* replayBar("Deriving again"))
})

/** The chain of the settings that the service has as well. */
const chain = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* setting("RPC_URL")
    const network = yield* networkSetting
    const genesisHash = GENESIS_HASH[network] ?? ANY_GENESIS
    const rpc = Rpc.layer({ urls: [url], genesisHash })
    const key = yield* Config.option(Config.Redacted("HELIUS_API_KEY"))
    const history = finalizedHistory(
      network,
      Option.map(key, (apiKey) => heliusRpcUrl(network, apiKey)),
    )
    return Reconciler.layer.pipe(Layer.provideMerge(history), Layer.provideMerge(rpc))
  }),
)

const ingest = (path: string) =>
  leading((fence) =>
    Effect.gen(function* () {
      const log = yield* IngestLog
      const indexer = yield* Indexer
      yield* rebuildDue(fence)
      const files = filesOf(path)
      const total = files.reduce((sum, file) => sum + statSync(file).size, 0)
      const show = yield* progressBar("Ingesting")
      let fresh = 0
      let group: Array<{ readonly body: Buffer; readonly read: ReadBody }> = []
      let bytes = 0
      const flush = Effect.gen(function* () {
        const bodies = group.map(({ body }) => body)
        const read = joinBodies(group.map((one) => one.read))
        fresh += (yield* log.append({ source: "file", bodies, ...read })).fresh
        group = []
        bytes = 0
      })
      const bodies = bodiesOf(files)
      while (true) {
        const next = yield* Effect.promise(() => bodies.next())
        if (next.done === true) break
        const { bytesRead, text } = next.value
        const body = Buffer.from(text)
        group.push({ body, read: readBody(body) })
        bytes += body.length
        if (group.length >= GROUP_TRANSACTIONS || bytes >= GROUP_BYTES) {
          yield* flush
          yield* indexer.catchUp(fence)
        }
        yield* show(bytesRead, total, `${fresh} new transactions`)
      }
      if (group.length > 0) yield* flush
      yield* indexer.catchUp(fence)
      yield* Console.log(fresh === 0 ? "Nothing new" : `Ingested ${fresh} new transactions`)
    }),
  )

/** A proof holds for one chain alone. */
const assertIndexed = Effect.fnUntraced(function* (fence: Fence) {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const network = yield* networkSetting
  // An endpoint is used once it was asked which chain it is of.
  const ask = rpc.call((kit) => kit.getGenesisHash())
  const genesisHash = yield* Effect.retry(ask, { schedule: Schedule.spaced(ASK_MILLIS), times: ASK_TRIES })
  const known = yield* Effect.gen(function* () {
    yield* leaseStatements(sql).hold(fence)
    return yield* identityStatements(sql).keep({ genesisHash, network })
  }).pipe(sql.withTransaction)
  yield* assertSameChain(known, genesisHash)
})

const backfill = (fromSlot: bigint, to: bigint | undefined) =>
  leading((fence) =>
    Effect.gen(function* () {
      const history = yield* ChainHistory
      const reconciler = yield* Reconciler
      const indexer = yield* Indexer
      const sql = yield* SqlClient
      yield* assertIndexed(fence)
      yield* rebuildDue(fence)
      const finalized = yield* history.finalizedSlot
      const toSlot = to === undefined || to > finalized ? finalized : to
      const show = yield* progressBar("Proving")
      const gaps = gapsOf(yield* coverageStatements(sql).all, { fromSlot, toSlot })
      const total = gaps.reduce((sum, gap) => sum + Number(gap.toSlot - gap.fromSlot) + 1, 0)
      let done = 0
      let missing = 0
      let problem: string | null = null
      for (const gap of gaps.toReversed()) {
        const round = yield* reconciler.prove(gap, fence, ({ range }) =>
          Effect.suspend(() =>
            show((done += Number(range.toSlot - range.fromSlot) + 1), total, `down to ${range.fromSlot}`),
          ),
        )
        missing += round.missing
        problem ??= round.problem
      }
      yield* indexer.catchUp(fence)
      if (problem !== null) return yield* new CommandFailed({ reason: `Not all slots are proven: ${problem}` })
      yield* Console.log(`Proven: slots ${fromSlot} to ${toSlot}; ${missing} transactions were missing`)
    }),
  )

const printDigest = (digests: ReadonlyArray<TableDigest>) =>
  Console.log(
    digests.map(({ digest, rows, table }) => `${table.padEnd(12)} ${rows.padStart(10)} rows  ${digest}`).join("\n"),
  )

const replayAll = leading((fence) =>
  Effect.gen(function* () {
    yield* catchUpOwn(fence)
    const { keptFrom } = yield* oldTrades(yield* SqlClient).kept
    const { live, rebuilt, transactions } = yield* replay(fence, yield* replayBar("Replaying"))
    yield* printDigest(rebuilt)
    const verdict = isSameDigest(live, rebuilt) ? "the same as before" : "NOT the same as before"
    if (keptFrom > 0n)
      yield* Console.log(
        "Trades and minutes that had left PostgreSQL are there again, and leave again where ClickHouse has the same",
      )
    yield* Console.log(`Derived from ${transactions} transactions: ${verdict}`)
  }),
)

const refetch = (isConfirmed: boolean) =>
  leading((fence) =>
    Effect.gen(function* () {
      if (!isConfirmed)
        return yield* new CommandFailed({
          reason: "refetch fetches what was deleted from the log. Say refetch --yes to do so",
        })
      const reopened = yield* reopenLog(fence)
      yield* Console.log(
        reopened === undefined
          ? "Nothing was deleted from the log"
          : `Slots ${reopened.fromSlot} to ${reopened.toSlot} are to be proven and fetched again. Unset INBOX_KEEP_DAYS ` +
              "until the tables were derived again, or they are deleted again",
      )
    }),
  )

/** Refused while a service leads: it would go on with its state of the old chain. */
const forget = (isConfirmed: boolean) =>
  Effect.gen(function* () {
    if (!isConfirmed)
      return yield* new CommandFailed({ reason: "forget-chain empties the index. Say forget-chain --yes to do so" })
    const sql = yield* SqlClient
    const identity = yield* identityStatements(sql).known
    const lease = leaseStatements(sql)
    const fence = yield* lease.acquire(INDEXER_LEASE, COMMAND_NAME, FORGET_LEASE_MILLIS)
    if (fence === undefined)
      return yield* new CommandFailed({ reason: "An indexer leads on this database: stop the service, and try again" })
    const forgotten = yield* Effect.ensuring(forgetChain(fence), Effect.ignore(lease.release(fence)))
    yield* Console.log(`Forgotten: ${identity === undefined ? "no chain" : describe(identity)}`)
    for (const { rows, table } of forgotten) if (rows > 0n) yield* Console.log(`${table}: ${rows} rows`)
  })

const describe = ({ genesisHash, network }: ChainIdentity): string =>
  `the chain with genesis hash ${genesisHash} (${network})`

const status = Effect.gen(function* () {
  const sql = yield* SqlClient
  const identity = yield* identityStatements(sql).known
  if (identity !== undefined) yield* Console.log(`index of ${describe(identity)}`)
  const log = yield* IngestLog
  const sink = yield* Sink
  const pruned = yield* prunedSlots(sql).read
  if (pruned !== undefined)
    yield* Console.log(
      `log: reaches back to slot ${pruned.toSlot + 1n}; slots ${pruned.fromSlot} to ${pruned.toSlot} were deleted after they were proven`,
    )
  const [counts] = yield* sql`
    select (select count(*) from inbox_transactions) as transactions, (select count(*) from inbox_poison) as poison,
      (select count(*) from dead_letters) as dead_letters, (select count(*) from inbox_dropped) as dropped`
  yield* printHistory
  yield* Console.log(`log: offset ${yield* log.head}, folded up to ${yield* sink.cursor}`)
  yield* Console.log(
    Object.entries(counts!)
      .map(([name, count]) => `${name}: ${String(count)}`)
      .join("\n"),
  )
  for (const { fromSlot, provenBy, toSlot } of yield* coverageStatements(sql).all)
    yield* Console.log(`proven: slots ${fromSlot} to ${toSlot} (${provenBy})`)
})

/** Runs a command against the database of the settings. */
export const runCommand = (command: Command) => {
  const work = {
    ingest: () => ingest((command as { readonly path: string }).path),
    backfill: () => {
      const { fromSlot, toSlot } = command as Extract<Command, { name: "backfill" }>
      return Effect.provide(backfill(fromSlot, toSlot), chain)
    },
    repair: () => {
      const { fromSlot, toSlot } = command as Extract<Command, { name: "repair" }>
      const asked = leading((fence) =>
        Effect.andThen(Effect.andThen(assertIndexed(fence), rebuildDue(fence)), repair(fromSlot, toSlot, fence)),
      )
      return Effect.provide(asked, chain)
    },
    replay: () => replayAll,
    refetch: () => refetch((command as { readonly isConfirmed: boolean }).isConfirmed),
    "forgo-history": () => {
      const { fromSlot, isConfirmed } = command as Extract<Command, { name: "forgo-history" }>
      return forgoHistory(fromSlot, isConfirmed)
    },
    digest: () => Effect.flatMap(Effect.flatMap(SqlClient, digestOf), printDigest),
    status: () => status,
    "verify-history": () => verifyHistory,
    "resend-history": () => resendHistory((command as { readonly isConfirmed: boolean }).isConfirmed),
    "forget-chain": () => forget((command as { readonly isConfirmed: boolean }).isConfirmed),
    cordon: () => {
      const { endpoint, reason } = command as Extract<Command, { name: "cordon" }>
      return cordon(endpoint, reason)
    },
    uncordon: () => uncordon((command as { readonly endpoint: string }).endpoint),
    cordons: () => printCordons,
  }[command.name]
  return Effect.provide(work() as Effect.Effect<void, unknown, IngestLog | Indexer | Sink | SqlClient>, commandIndex)
}
