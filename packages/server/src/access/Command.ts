import { parseArgs } from "node:util"
import { type Scope, SCOPES } from "@launch-registry/domain/access/Caller"

/** How the command is called here: in a checkout, or in the container image, which runs a bundle. */
const KEYS = import.meta.filename.endsWith(".ts") ? "node packages/service/src/keys/main.ts" : "node dist/keys.mjs"

/** What the command line of keys can be asked to do. */
export type Command =
  | {
      readonly name: "create"
      readonly keyName: string
      readonly scopes: ReadonlyArray<Scope>
      readonly days: number | undefined
    }
  | { readonly name: "list" }
  | { readonly name: "rotate"; readonly id: string; readonly overlapHours: number }
  | { readonly name: "revoke"; readonly id: string }
  | { readonly name: "audit"; readonly limit: number }

const OVERLAP_HOURS = 24
const AUDIT_ROWS = 100

export const USAGE = `Usage: DATABASE_URL=postgres://... ${KEYS} <command>

  create --name <name> --scopes <scopes> [--days <days>]
                                makes an API key and prints it, once. Scopes are read (reads of /api/system), write
                                (all writes but those of admins) and admin (everything), comma-separated
  list                          prints every key: id, name, scopes, and when it was created, last used, and ends
  rotate <id> [--overlap-hours <hours>]
                                makes a key with the name, scopes and lifetime of another one, which ends after
                                ${OVERLAP_HOURS} hours, or as many as are given (0: at once)
  revoke <id>                   ends a key at once
  audit [--limit <rows>]        prints the newest ${AUDIT_ROWS} writes, or as many as are given: when, who, what, with which status

DATA_FOLDER=<folder> in place of DATABASE_URL is the embedded database of a service that is stopped.
A running service follows within five seconds.`

const OPTIONS = {
  name: { type: "string" },
  scopes: { type: "string" },
  days: { type: "string" },
  "overlap-hours": { type: "string" },
  limit: { type: "string" },
} as const

/** Options of each command. */
const TAKES: Readonly<Record<string, ReadonlyArray<string>>> = {
  create: ["name", "scopes", "days"],
  list: [],
  rotate: ["overlap-hours"],
  revoke: [],
  audit: ["limit"],
}

const NAME_LENGTH_MAX = 100

const whole = (text: string, min: number, max: number): number => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : Number.NaN
}

const scopesOf = (text: string): ReadonlyArray<Scope> => {
  const names = text.split(",").map((name) => name.trim())
  return names.every((name): name is Scope => (SCOPES as ReadonlyArray<string>).includes(name)) ? names : []
}

const parsed = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch {
    return undefined
  }
}

/** The command in the arguments; `undefined` when they are none. */
export const readCommand = (args: ReadonlyArray<string>): Command | undefined => {
  const { positionals = [], values = {} } = parsed(args) ?? {}
  const [name = "", id, ...rest] = positionals
  const takes = TAKES[name]
  if (takes === undefined || rest.length > 0 || Object.keys(values).some((option) => !takes.includes(option)))
    return undefined
  if (name === "rotate" || name === "revoke") {
    if (id === undefined) return undefined
    if (name === "revoke") return { name, id }
    const overlapHours = whole(values["overlap-hours"] ?? String(OVERLAP_HOURS), 0, 8_760)
    return Number.isNaN(overlapHours) ? undefined : { name, id, overlapHours }
  }
  if (id !== undefined) return undefined
  if (name === "list") return { name }
  if (name === "audit") {
    const limit = whole(values.limit ?? String(AUDIT_ROWS), 1, 100_000)
    return Number.isNaN(limit) ? undefined : { name, limit }
  }
  const keyName = values.name?.trim() ?? ""
  const scopes = scopesOf(values.scopes ?? "")
  const days = values.days === undefined ? undefined : whole(values.days, 1, 36_500)
  const isSound = keyName !== "" && keyName.length <= NAME_LENGTH_MAX && scopes.length > 0 && !Number.isNaN(days)
  return isSound ? { name: "create", keyName, scopes: [...new Set(scopes)], days } : undefined
}
