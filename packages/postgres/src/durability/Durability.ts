import { Schema } from "effect"

/**
 * What an acknowledged write survives: `none`, not even a crash of the server; `local`, that, but not the loss of the server; `replicated`, the
 * loss of the server as well, because another one has the write before it is acknowledged.
 */
export const DURABILITY_LEVELS = ["none", "local", "replicated"] as const
export type DurabilityLevel = (typeof DURABILITY_LEVELS)[number]

export interface Durability {
  readonly level: DurabilityLevel
  /** How many synchronous standbys have a write before it is acknowledged. */
  readonly standbys: number
  /** The settings of PostgreSQL that make it so. */
  readonly because: string
}

/** Columns of a statement that any role may ask, for `durabilityOf`. */
export const DURABILITY_COLUMNS = `
  current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
  current_setting('synchronous_commit') as waits, current_setting('synchronous_standby_names') as names`

const DurabilityRow = Schema.Struct({
  fsync: Schema.String,
  pages: Schema.String,
  waits: Schema.String,
  names: Schema.String,
})

/** Where a commit waits for no standby. */
const WAITS_FOR_NONE: ReadonlySet<string> = new Set(["off", "local"])

/** How many standbys `synchronous_standby_names` asks for: `ANY 2 (a, b, c)`, `FIRST 2 (...)`, `2 (...)`, or a list, of which one. */
export const standbysOf = (names: string): number => {
  if (names.trim() === "") return 0
  const [, count] = /^\s*(?:(?:any|first)\s+)?(\d+)\s*\(/i.exec(names) ?? []
  return Number(count ?? 1)
}

/** Of a row with these columns; undefined for any other row. */
export const durabilityOf = (row: unknown): Durability | undefined => {
  if (!Schema.is(DurabilityRow)(row)) return undefined
  const { fsync, names, pages, waits } = row
  if (fsync === "off") return { level: "none", standbys: 0, because: "fsync = off" }
  if (pages === "off") return { level: "none", standbys: 0, because: "full_page_writes = off" }
  if (waits === "off") return { level: "none", standbys: 0, because: "synchronous_commit = off" }
  const standbys = WAITS_FOR_NONE.has(waits) ? 0 : standbysOf(names)
  const because = `synchronous_commit = ${waits}`
  if (standbys === 0)
    return { level: "local", standbys, because: names.trim() === "" ? "no synchronous_standby_names" : because }
  return { level: "replicated", standbys, because }
}

/** In words, for operators. */
export const describeDurability = ({ because, level, standbys }: Durability): string => {
  if (level === "none") return `acknowledged writes may not survive a crash of it (${because})`
  if (level === "local") return `acknowledged writes survive a crash of it, not its loss (${because})`
  return `acknowledged writes survive its loss (on ${standbys} synchronous standby${standbys === 1 ? "" : "s"}, ${because})`
}
