import { createRequire } from "node:module"

interface Session {
  readonly path: string
  readonly queryAsync: (
    statement: string,
    options: { readonly format: string },
  ) => Promise<{ readonly text: () => string }>
}

/** What the engine says of a statement that failed. */
export class EngineError extends Error {
  override readonly name = "EngineError"
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export interface EngineStatement {
  readonly database: string
  /** Of this statement alone; `param_x` are its parameters. */
  readonly settings?: ReadonlyArray<readonly [name: string, value: string]>
}

/** Sessions of the engine over one folder. Each runs one statement at a time, with settings of its own. */
export class EngineSessions {
  readonly #free: Array<Session>
  readonly #waiting: Array<(session: Session) => void> = []

  constructor(engine: string, folder: string, count: number) {
    const { Session } = createRequire(`${engine}/`)("chdb") as { readonly Session: new (folder: string) => Session }
    this.#free = Array.from({ length: count }, () => new Session(folder))
  }

  /** The answer as text. */
  async run(statement: string, { database, settings = [] }: EngineStatement): Promise<string> {
    const session = this.#free.pop() ?? (await new Promise<Session>((resolve) => this.#waiting.push(resolve)))
    const names = settings.flatMap(([name]) => (name.startsWith("param_") ? [] : [name]))
    const set = settings.map(([name, value]) => `${nameOf(name)} = ${quoted(value)}`)
    try {
      await query(session, `use ${database}`)
      await query(session, "set output_format_json_quote_64bit_integers = 1")
      if (set.length > 0) await query(session, `set ${set.join(", ")}`)
      return await query(session, statement)
    } finally {
      if (names.length > 0) await query(session, `set ${names.map((name) => `${name} = default`).join(", ")}`)
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(session)
      else next(session)
    }
  }
}

const query = async (session: Session, statement: string): Promise<string> => {
  try {
    return (await session.queryAsync(statement, { format: "JSONEachRow" })).text()
  } catch (error) {
    const { clickhouseCode, message } = error as { readonly clickhouseCode?: number; readonly message: string }
    throw new EngineError(clickhouseCode ?? 1001, message)
  }
}

const nameOf = (name: string): string => {
  if (/^\w+$/.test(name)) return name
  throw new EngineError(
    115,
    `Code: 115. DB::Exception: Setting ${name} is neither a builtin setting. (UNKNOWN_SETTING)`,
  )
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`
