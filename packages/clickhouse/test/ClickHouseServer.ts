import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { installedEngine } from "./ClickHouseEngine.ts"
import type { FailureMode, ServerAnswer, ServerOrder } from "./ClickHouseServerMain.ts"

export type { FailureMode } from "./ClickHouseServerMain.ts"

export interface ClickHouseServerOptions {
  /** Where the tables are; a temporary folder unless told. */
  readonly folder?: string
  /** Statements that run at a time; 4 unless told. */
  readonly sessions?: number
}

/** The real engine of ClickHouse behind its HTTP interface on loopback, with one user and one database. */
export interface ClickHouseServer {
  /** With user and password: a value of HISTORY_URL. */
  readonly url: string
  /** Fails requests from now on, or only so many of the next ones. */
  readonly fail: (mode: FailureMode, times?: number) => Effect.Effect<void>
  readonly heal: Effect.Effect<void>
  /** Statements that came over HTTP so far, failed ones as well, without the rows of inserts. */
  readonly statements: Effect.Effect<ReadonlyArray<string>>
  /** How many. */
  readonly requests: Effect.Effect<number>
  /** Runs a statement beside HTTP, and gives its rows where it has some; 64-bit integers are texts. */
  readonly run: <Row>(statement: string) => Effect.Effect<ReadonlyArray<Row>>
}

export const USER = "registry"
export const PASSWORD = "p@ss/word:1"
export const DATABASE = "history"

/** A server that ends with its scope. */
export const startClickHouseServer = (
  options: ClickHouseServerOptions = {},
): Effect.Effect<ClickHouseServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const engine = yield* Effect.promise(installedEngine)
    const folder =
      options.folder ??
      (yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "clickhouse-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
      ))
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => startChild(engine, folder, options.sessions ?? 4)),
      (child) => Effect.promise(() => end(child)),
    )
    const { ask, port } = yield* Effect.promise(() => connected(child))
    const order = (one: ServerOrder) => Effect.promise(() => ask(one))
    const statements = Effect.map(order({ kind: "statements" }), (answer) => answer as ReadonlyArray<string>)
    return {
      url: `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${DATABASE}`,
      fail: (mode, times) => Effect.asVoid(order({ kind: "fail", mode, times })),
      heal: Effect.asVoid(order({ kind: "heal" })),
      statements,
      requests: Effect.map(statements, ({ length }) => length),
      run: (statement) => Effect.map(order({ kind: "run", statement }), (rows) => rows as never),
    }
  })

const startChild = (engine: string, folder: string, sessions: number): ChildProcess =>
  fork(
    join(import.meta.dirname, "ClickHouseServerMain.ts"),
    [engine, folder, `${sessions}`, USER, PASSWORD, DATABASE],
    {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  )

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}

type Ask = (order: ServerOrder) => Promise<unknown>

/** Waits until it listens. */
const connected = async (child: ChildProcess): Promise<{ readonly ask: Ask; readonly port: number }> => {
  const waiting = new Map<number, (answer: ServerAnswer) => void>()
  let last = 0
  child.on("message", (answer: ServerAnswer) => waiting.get(answer.id)?.(answer))
  child.on("exit", (code, signal) => {
    for (const [id, tell] of waiting) tell({ id, error: `The server of ClickHouse has ended: ${signal ?? code}` })
  })
  const answerOf = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(id, ({ error, value }) => {
        waiting.delete(id)
        if (error === undefined) resolve(value)
        else reject(new Error(error))
      })
    })
  const port = (await answerOf(last)) as number
  const ask: Ask = (order) => {
    last += 1
    const answer = answerOf(last)
    child.send({ id: last, order })
    return answer
  }
  return { ask, port }
}
