import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import * as Migrate from "@launch-registry/migrations/Migrate"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import { databaseCpuMillis, databaseMib, parentOf } from "./Processes.ts"

/** The address of a bench database, serialisable for child processes. */
export interface BenchAddress {
  readonly socketDirectory: string
  readonly username: string
  readonly database: string
}

/** Settings of a busy server instead of the defaults; commits are durable. */
const SETTINGS = { shared_buffers: "2GB", max_wal_size: "8GB", random_page_cost: "1.1" }
const SHOWN = ["server_version", "fsync", "synchronous_commit", ...Object.keys(SETTINGS)]
const NAME = "bench"
const WARM_UP_NAME = "warm_up"

export const clientOf = ({ database, socketDirectory, username }: BenchAddress): pg.Client =>
  new pg.Client({ host: socketDirectory, user: username, database })

/** A PostgreSQL server for one bench, with its own files. */
export class BenchDatabase {
  readonly address: BenchAddress
  /** A second one, for unmeasured work. */
  readonly warmUpAddress: BenchAddress
  /** Its settings. */
  readonly settings: string
  readonly #admin: pg.Client
  readonly #template: string
  readonly #postmaster: string
  readonly #close: () => Promise<void>

  private constructor(
    template: BenchAddress,
    settings: string,
    admin: pg.Client,
    postmaster: string,
    close: () => Promise<void>,
  ) {
    this.address = { ...template, database: NAME }
    this.warmUpAddress = { ...template, database: WARM_UP_NAME }
    this.settings = settings
    this.#admin = admin
    this.#template = template.database
    this.#postmaster = postmaster
    this.#close = close
  }

  /** Starts it twice: memory settings are read only at the start. In `kept` its files stay, for the next time; without, they are deleted. */
  static readonly start = async (kept?: string): Promise<BenchDatabase> => {
    const folder = kept ?? mkdtempSync(join(tmpdir(), "registry-bench-"))
    const first = await startedServer(folder)
    const setting = clientOf(first.address)
    await setting.connect()
    for (const [name, value] of Object.entries(SETTINGS)) await setting.query(`alter system set ${name} = '${value}'`)
    await setting.end()
    await migrated(first.address)
    await first.stop()

    const { address, stop } = await startedServer(folder)
    const admin = clientOf({ ...address, database: "postgres" })
    await admin.connect()
    const settings: Array<string> = []
    for (const name of SHOWN)
      settings.push(`${name} ${Object.values((await admin.query(`show ${name}`)).rows[0] as object)[0]}`)
    const { rows } = await admin.query("select pg_backend_pid() as pid")
    return new BenchDatabase(address, settings.join(", "), admin, parentOf(String(rows[0].pid)), async () => {
      await admin.end()
      await stop()
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    })
  }

  /** Replaces the databases by empty, migrated ones, with nothing left to write back. */
  async renew(): Promise<void> {
    for (const name of [NAME, WARM_UP_NAME]) {
      await this.#admin.query(`drop database if exists ${name} with (force)`)
      await this.#admin.query(`create database ${name} template ${this.#template}`)
    }
    await this.#admin.query("checkpoint")
  }

  /**
   * The database of this name that was filled another time, migrated, or a new one that `fill` fills: all of it, or the next time
   * again.
   */
  async filled(name: string, fill: (address: BenchAddress) => Promise<void>): Promise<BenchAddress> {
    const { rows } = await this.#admin.query("select from pg_database where datname = $1", [name])
    if (rows.length === 0) {
      const filling = `filling_${name}`
      await this.#admin.query(`drop database if exists ${filling}`)
      const address = { ...this.address, database: filling }
      await this.#admin.query(`create database ${filling} template ${this.#template}`)
      await fill(address)
      await this.#admin.query(`alter database ${filling} rename to ${name}`)
    }
    const address = { ...this.address, database: name }
    await migrated(address)
    return address
  }

  /** Deletes what the warm-up wrote, and writes back the rest. */
  async settle(): Promise<void> {
    const client = clientOf(this.warmUpAddress)
    await client.connect()
    const { rows } = await client.query(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
    )
    await client.query(`truncate ${rows.map(({ name }) => name).join(", ")}`)
    await client.end()
    await this.#admin.query("checkpoint")
  }

  /** Bytes of the write-ahead log so far. */
  async walBytes(): Promise<number> {
    const { rows } = await this.#admin.query("select pg_current_wal_lsn() - '0/0' as bytes")
    return Number(rows[0].bytes)
  }

  /** Processor time of all its processes so far, in milliseconds; 0 when unknown. */
  cpuMillis(): number {
    return databaseCpuMillis(this.#postmaster) ?? 0
  }

  /** Memory of all its processes, in MiB. */
  residentMib(): number {
    return databaseMib(this.#postmaster)
  }

  /** Rows of `trades` and the sums of their digests: equal for equal rows in any order. */
  async tradesDigest(): Promise<string> {
    const client = clientOf(this.address)
    await client.connect()
    const half = (start: number) => `sum(('x' || substr(h, ${start}, 16))::bit(64)::bigint::numeric)`
    const { rows } = await client.query(
      `select count(*) || ' ' || ${half(1)} || '.' || ${half(17)} as digest from (select md5(t::text) as h from trades t) r`,
    )
    await client.end()
    return String(rows[0].digest)
  }

  stop(): Promise<void> {
    return this.#close()
  }
}

const migrated = (address: BenchAddress) =>
  Effect.runPromise(Effect.provide(Migrate.migrate(), Database.layer(address)))

const startedServer = async (folder: string) => {
  const scope = Effect.runSync(Scope.make())
  const { address } = await Effect.runPromise(Scope.provide(embeddedPostgres({ folder }), scope))
  return { address, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
