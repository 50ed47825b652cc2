import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Schema, type Scope } from "effect"
import type { DatabaseAddress } from "../Database.ts"
import { makeFolder } from "./DataFolder.ts"
import { claimFolder, isRunning, releaseFolder } from "./FolderOwner.ts"
import { postgresBinaries, ROOT_FOLDER } from "./PostgresBinaries.ts"
import { canEnter, runAs, type ServerAccount, serverAccount } from "./ServerAccount.ts"

const USERNAME = "registry"
const DATABASE = "registry"

/** A socket path takes about 107 bytes at most, of which the file name takes 17. */
const SOCKET_FOLDER_LENGTH_MAX = 80

/** Crash recovery replays what was written since the last checkpoint before the server is ready. */
const START_TIMEOUT_MILLIS = 60_000
const STOP_TIMEOUT_MILLIS = 10_000
const POLL_MILLIS = 15
const WATCH_MILLIS = 500

/** The embedded server did not come up. */
export class EmbeddedPostgresFailed extends Schema.TaggedError<EmbeddedPostgresFailed>()("EmbeddedPostgresFailed", {
  message: Schema.String,
}) {}

/** Another running service owns the data folder. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  folder: Schema.String,
  pid: Schema.Int,
}) {
  override get message(): string {
    return `The data folder ${this.folder} is in use by process ${this.pid}: stop it, or choose another DATA_FOLDER`
  }
}

export interface EmbeddedServer {
  /** Where its data lie; another folder than asked for when root's own is closed to the server's account. */
  readonly folder: string
  readonly isNew: boolean
  readonly address: Extract<DatabaseAddress, { readonly socketDirectory: string }>
}

interface Cluster {
  readonly folder: string
  readonly data: string
  readonly sockets: string
  readonly binaries: string
  readonly account: ServerAccount | undefined
}

/**
 * A real PostgreSQL server on files below `folder`, reachable over a Unix socket alone, stopped when the scope closes.
 * What it acknowledged survives kill -9 of the server and of this process: a server left over by a killed service is
 * stopped and started anew, and recovers.
 */
export const embeddedPostgres = (options: {
  readonly folder: string
  /** Trades crash safety for speed; for databases of tests alone. */
  readonly isThrowaway?: boolean
}): Effect.Effect<EmbeddedServer, EmbeddedPostgresFailed | DataFolderInUse, Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = yield* attempt(() => prepare(resolve(options.folder)))
    const { folder } = cluster
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        const pid = claimFolder(folder)
        return pid === undefined ? Effect.void : Effect.fail(new DataFolderInUse({ folder, pid }))
      }),
      () =>
        Effect.sync(() => {
          // Sockets that did not fit below the folder lie in the system's temporary one.
          if (!cluster.sockets.startsWith(folder)) rmSync(cluster.sockets, { recursive: true, force: true })
          releaseFolder(folder)
        }),
    )
    yield* attempt(() => stopLeftover(cluster))
    const isNew = !existsSync(join(cluster.data, "PG_VERSION"))
    if (isNew) yield* attempt(() => initialize(cluster))
    const isThrowaway = options.isThrowaway === true
    const server = yield* Effect.acquireRelease(
      Effect.map(
        attempt(() => start(cluster, isThrowaway)),
        (pid) => ({ pid }),
      ),
      ({ pid }) => Effect.promise(() => stop(pid)),
    )
    yield* Effect.forkScoped(keepRunning(cluster, server, isThrowaway))
    return { folder, isNew, address: { socketDirectory: cluster.sockets, username: USERNAME, database: DATABASE } }
  })

/** Restarts the server after a crash. */
const keepRunning = (cluster: Cluster, server: { pid: number }, isThrowaway: boolean) =>
  Effect.gen(function* () {
    yield* Effect.sleep(WATCH_MILLIS)
    if (isRunning(server.pid)) return
    yield* Effect.logWarning("The embedded PostgreSQL ended; starting it again")
    // Uninterruptible, so that a started server is always known and stopped.
    yield* Effect.uninterruptible(
      Effect.map(
        attempt(() => start(cluster, isThrowaway)),
        (pid) => void (server.pid = pid),
      ),
    )
  }).pipe(
    Effect.catch((error) => Effect.logError(error.message)),
    Effect.forever,
  )

const attempt = <A>(step: () => A | Promise<A>): Effect.Effect<A, EmbeddedPostgresFailed> =>
  Effect.tryPromise({
    try: async () => step(),
    catch: (error) =>
      new EmbeddedPostgresFailed({ message: `The embedded PostgreSQL did not start: ${(error as Error).message}` }),
  })

const prepare = (asked: string): Cluster => {
  const account = serverAccount()
  const binaries = postgresBinaries(account)
  const mark = createHash("sha256").update(asked).digest("hex").slice(0, 12)
  makeFolder(asked)
  // The folder is ours to open; those above it are not.
  if (!canEnter(account, asked)) chmodSync(asked, statSync(asked).mode | 0o011)
  const folder = canEnter(account, asked) ? asked : join(ROOT_FOLDER, mark)
  const near = join(folder, "postgres", "sockets")
  const sockets = near.length <= SOCKET_FOLDER_LENGTH_MAX ? near : join(tmpdir(), `registry-postgres-${mark}`)
  for (const path of [folder, join(folder, "postgres"), sockets]) makeFolder(path)
  // The server keeps its files to itself; root passes anyway.
  for (const path of [join(folder, "postgres"), sockets]) {
    if (account !== undefined) chownSync(path, account.uid, account.gid)
    chmodSync(path, 0o700)
  }
  return { folder, data: join(folder, "postgres", "data"), sockets, binaries, account }
}

/** Creates the cluster in a temporary folder and moves it into place, so that an interrupted start leaves no half of one. */
const initialize = ({ account, binaries, data }: Cluster): void => {
  const unfinished = `${data}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  run(join(binaries, "bin", "initdb"), account, [
    ...["-D", unfinished, "-U", USERNAME, "--auth=trust", "--encoding=UTF8"],
    ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--no-instructions"],
  ])
  run(
    join(binaries, "bin", "postgres"),
    account,
    ["--single", "-D", unfinished, "postgres"],
    `create database ${DATABASE}\n`,
  )
  renameSync(unfinished, data)
}

const run = (program: string, account: ServerAccount | undefined, args: ReadonlyArray<string>, input = ""): void => {
  const { error, status, stderr } = spawnSync(program, args, { ...runAs(account), cwd: "/", input, encoding: "utf8" })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(stderr.trim().split("\n").slice(-3).join(" "))
}

const postmasterFile = (cluster: Cluster): string => join(cluster.data, "postmaster.pid")

/** Lines of the server's own state file: 1 its pid, 8 its state. */
const postmasterState = (cluster: Cluster): { readonly pid: number; readonly isReady: boolean } | undefined => {
  try {
    const lines = readFileSync(postmasterFile(cluster), "utf8").split("\n")
    return { pid: Number(lines[0]), isReady: lines[7]?.trim() === "ready" }
  } catch {
    return undefined
  }
}

const stopLeftover = async (cluster: Cluster): Promise<void> => {
  const left = postmasterState(cluster)
  if (left !== undefined && left.pid > 1 && isRunning(left.pid) && isPostgres(left.pid)) await stop(left.pid)
}

/** Guards against a stale pid that now belongs to someone else. */
const isPostgres = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]!.endsWith("postgres")
  } catch {
    return true
  }
}

const start = async (cluster: Cluster, isThrowaway: boolean): Promise<number> => {
  const log = join(cluster.folder, "postgres", "server.log")
  writeFileSync(log, "")
  if (cluster.account !== undefined) chownSync(log, cluster.account.uid, cluster.account.gid)
  const deadline = Date.now() + START_TIMEOUT_MILLIS
  // The pid of a killed server can linger until its parent collects it; until then the server refuses to start.
  for (;;) {
    const pid = launch(cluster, log, isThrowaway)
    while (isRunning(pid) && Date.now() < deadline) {
      const state = postmasterState(cluster)
      if (state?.pid === pid && state.isReady) return pid
      await sleep(POLL_MILLIS)
    }
    const reason = readFileSync(log, "utf8").trim().split("\n").slice(-3).join(" ")
    if (!reason.includes("postmaster.pid") || Date.now() > deadline - START_TIMEOUT_MILLIS + STOP_TIMEOUT_MILLIS) {
      throw new Error(reason)
    }
    await sleep(200)
  }
}

const launch = ({ account, binaries, data, sockets }: Cluster, log: string, isThrowaway: boolean): number => {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: sockets,
    unix_socket_permissions: "0700",
    max_connections: "100",
    ...(isThrowaway ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off" } : {}),
  }
  const output = openSync(log, "a")
  // A session of its own: Ctrl-C in the terminal must reach the service, which stops the server last.
  const child = spawn(
    join(binaries, "bin", "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...runAs(account), cwd: "/", detached: true, stdio: ["ignore", output, output] },
  )
  closeSync(output)
  child.unref()
  // Without a listener a failed spawn would end the process; the missing pid below says enough.
  child.on("error", () => undefined)
  if (child.pid === undefined) throw new Error("the server program could not be run")
  return child.pid
}

/** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
const stop = async (pid: number): Promise<void> => {
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const deadline = Date.now() + STOP_TIMEOUT_MILLIS
    while (Date.now() < deadline) {
      if (!isRunning(pid)) return
      await sleep(5)
    }
  }
}
