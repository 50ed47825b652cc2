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

/** A socket path is limited to about 107 bytes, of which the file name takes 17. */
const SOCKET_FOLDER_LENGTH_MAX = 80

/**
 * Settings of a server whose data nobody keeps. Databases of one test are too short-lived for autovacuum, and plans that depend on when it
 * came are no plans to test.
 */
const THROWAWAY = {
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off" },
  file_copy_method: "clone",
}

/** Crash recovery replays the WAL since the last checkpoint before the server is ready. */
const START_TIMEOUT_MILLIS = 60_000
const STOP_TIMEOUT_MILLIS = 10_000
const POLL_MILLIS = 15
const WATCH_MILLIS = 500

/** The embedded server did not start. */
export class EmbeddedPostgresFailed extends Schema.TaggedError<EmbeddedPostgresFailed>()("EmbeddedPostgresFailed", {
  message: Schema.String,
}) {}

/** Another running service uses the data folder. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  folder: Schema.String,
  pid: Schema.Int,
}) {
  override get message(): string {
    return `The data folder ${this.folder} is in use by process ${this.pid}: stop it, or choose another DATA_FOLDER`
  }
}

export interface EmbeddedServer {
  /** Its data folder; not the requested one if the server's account cannot access a folder of root. */
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
 * A PostgreSQL server with its files below `folder`, reachable only over a Unix socket, stopped when the scope closes.
 * Committed data survives kill -9 of the server and of this process: a leftover server is stopped, restarted and
 * recovers.
 */
export const embeddedPostgres = (options: {
  readonly folder: string
  /** Trades crash safety for speed; for test databases only. */
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
          // Sockets whose path would be too long are in the temporary directory.
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

/** Restarts the server after an unexpected exit. */
const keepRunning = (cluster: Cluster, server: { pid: number }, isThrowaway: boolean) =>
  Effect.gen(function* () {
    yield* Effect.sleep(WATCH_MILLIS)
    if (isRunning(server.pid)) return
    yield* Effect.logWarning("The embedded PostgreSQL ended; starting it again")
    // Uninterruptible: a started server whose pid is unknown would never be stopped.
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
  // We may change the mode of this folder, but not of its parents.
  if (!canEnter(account, asked)) chmodSync(asked, statSync(asked).mode | 0o011)
  const folder = canEnter(account, asked) ? asked : join(ROOT_FOLDER, mark)
  const near = join(folder, "postgres", "sockets")
  const sockets = near.length <= SOCKET_FOLDER_LENGTH_MAX ? near : join(tmpdir(), `registry-postgres-${mark}`)
  for (const path of [folder, join(folder, "postgres"), sockets]) makeFolder(path)
  // Only the server's account has access; root has it anyway.
  for (const path of [join(folder, "postgres"), sockets]) {
    if (account !== undefined) chownSync(path, account.uid, account.gid)
    chmodSync(path, 0o700)
  }
  return { folder, data: join(folder, "postgres", "data"), sockets, binaries, account }
}

/**
 * A new cluster has the first LC_CTYPE of these that the C library knows: pg_trgm asks it alone what a letter is, and makes no trigrams
 * of words beyond ASCII with C. All else goes by the builtin locale.
 */
const CTYPES = ["C.UTF-8", "en_US.UTF-8", "C"]

/** Creates the cluster under a temporary name and renames it, so that an interrupted start leaves no partial one. */
const initialize = ({ account, binaries, data }: Cluster): void => {
  const unfinished = `${data}.unfinished`
  const initdb = (ctype: string) => {
    rmSync(unfinished, { recursive: true, force: true })
    run(join(binaries, "bin", "initdb"), account, [
      ...["-D", unfinished, "-U", USERNAME, "--auth=trust", "--encoding=UTF8", "--no-instructions"],
      ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", `--lc-ctype=${ctype}`],
    ])
  }
  for (const ctype of CTYPES)
    try {
      initdb(ctype)
      break
    } catch (error) {
      if (ctype === CTYPES.at(-1)) throw error
    }
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

/** State from postmaster.pid: line 1 is the pid, line 8 the status. */
const postmasterState = (cluster: Cluster): { readonly pid: number; readonly isReady: boolean } | undefined => {
  try {
    const lines = readFileSync(postmasterFile(cluster), "utf8").split("\n")
    // A standby that answers reads is ready as well.
    return { pid: Number(lines[0]), isReady: ["ready", "standby"].includes(lines[7]?.trim() ?? "") }
  } catch {
    return undefined
  }
}

const stopLeftover = async (cluster: Cluster): Promise<void> => {
  const left = postmasterState(cluster)
  if (left !== undefined && left.pid > 1 && isRunning(left.pid) && isPostgres(left.pid)) await stop(left.pid)
}

/** Guards against a stale pid that was reused. */
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
  // The pid of a killed server can remain until its parent reaps it; until then the server refuses to start.
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
    // The listen backlog is twice this. Where a test's clock jumps by days, connection attempts time out and begin again by the hundred.
    max_connections: isThrowaway ? "400" : "100",
    ...(isThrowaway ? THROWAWAY : {}),
  }
  const output = openSync(log, "a")
  // Its own session: Ctrl-C must reach only the service, which stops the server last.
  const child = spawn(
    join(binaries, "bin", "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...runAs(account), cwd: "/", detached: true, stdio: ["ignore", output, output] },
  )
  closeSync(output)
  child.unref()
  // Without a listener a failed spawn would crash the process; the missing pid below is enough.
  child.on("error", () => undefined)
  if (child.pid === undefined) throw new Error("the server program could not be run")
  return child.pid
}

/** Fast shutdown: open transactions are rolled back. */
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
