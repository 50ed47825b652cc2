import { globSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { Api } from "../packages/domain/src/Api.ts"
import type { ErrorResponse } from "../packages/domain/src/http/ErrorEnvelope.ts"
import { MALFORMED_ANSWERS } from "../packages/http/src/listener/MalformedHttp.ts"

const DOMAIN = join(import.meta.dirname, "..", "packages", "domain", "src")

/** An error as it is documented. */
interface ListedError {
  readonly code: string
  readonly status: number
  readonly meaning: string
  readonly details: ReadonlyArray<string>
  readonly where: string
  readonly retry: string
}

type Response = ErrorResponse<unknown>

/** Where errors are answered that no endpoint declares, by the folder they are in. */
const OUTSIDE: Readonly<Record<string, string>> = {
  http: "any path",
  ipfs: "`GET /ipfs/:cid`",
  webhooks: "`POST /api/webhooks/helius`",
}

const DECLARATION =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export class (\w+) extends Schema\.TaggedError|export class (\w+) extends Schema\.TaggedError/g

/** What the docstring above each error of a file says. */
const meaningsIn = (source: string): ReadonlyArray<readonly [name: string, meaning: string]> =>
  [...source.matchAll(DECLARATION)].map(([, comment = "", documented, bare]) => [
    (documented ?? bare)!,
    comment
      .replaceAll(/^\s*\*? ?/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  ])

const endpoints = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => ({
    shown: `\`${endpoint.method} ${endpoint.path}\``,
    errors: new Set(
      [...endpoint.error, ...[...endpoint.middlewares].flatMap(({ error }) => [...error])].map(({ ast }) => ast),
    ),
  })),
)

const whereOf = (response: Response, folder: string): string => {
  const answering = endpoints.filter(({ errors }) => errors.has(response.ast)).map(({ shown }) => shown)
  if (answering.length === endpoints.length) return "every endpoint"
  return answering.length > 0 ? answering.join(", ") : (OUTSIDE[folder] ?? "outside of declared endpoints")
}

const retryOf = ({ httpStatus, isPermanent }: Response): string => {
  if (httpStatus !== 503 && httpStatus !== 429) return ""
  return isPermanent ? "no: a setting has to be changed" : "yes, after `Retry-After`"
}

/** Every error that is declared with an envelope, and those of what never became a request. */
export const listErrors = async (): Promise<ReadonlyArray<ListedError>> => {
  const files = globSync("**/*.ts", { cwd: DOMAIN }).filter((file) =>
    readFileSync(join(DOMAIN, file), "utf8").includes("extends Schema.TaggedError"),
  )
  const declared = await Promise.all(
    files.map(async (file) => {
      const exported = (await import(join(DOMAIN, file))) as Readonly<Record<string, { readonly response?: Response }>>
      const [folder = ""] = relative(DOMAIN, join(DOMAIN, file)).split(sep)
      return meaningsIn(readFileSync(join(DOMAIN, file), "utf8")).flatMap(([name, meaning]): Array<ListedError> => {
        const response = exported[name]?.response
        if (response === undefined) return []
        return [
          {
            ...{ code: response.code, status: response.httpStatus, meaning, details: response.factNames },
            ...{ where: whereOf(response, folder), retry: retryOf(response) },
          },
        ]
      })
    }),
  )
  const codes = new Set(declared.flat().map(({ code }) => code))
  const undeclared = MALFORMED_ANSWERS.filter(([, code]) => !codes.has(code))
  const malformed = undeclared.map(([status, code, message]): ListedError => ({
    ...{ code, status, meaning: `${message}.`, details: [] },
    ...{ where: "any connection: no request could be read, so there is no `requestId`", retry: "" },
  }))
  return [...declared.flat(), ...malformed].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

/** `docs/errors.md`: every code that an answer can have. */
export const errorListText = async (): Promise<string> => {
  const rows = (await listErrors()).map(({ code, details, meaning, retry, status, where }) =>
    [
      ...[`\`${code}\``, String(status), cell(meaning)],
      ...[details.map((name) => `\`${name}\``).join(", "), retry, cell(where)],
    ].join(" | "),
  )
  return `${INTRODUCTION}
| code | status | when | details | again? | answered by |
| --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join("\n")}
`
}

const INTRODUCTION = `# Errors

Written by \`pnpm generate\` from the errors as they are declared; do not edit.

Whatever is not a success is answered as

\`\`\`json
{ "success": false, "code": "token_not_found", "message": "Token … is not registered", "requestId": "…", "details": { "token": "…" } }
\`\`\`

- \`code\` is stable: codes are only ever added, and their status stays. \`message\` is for people and may change.
- \`requestId\` is also the header \`x-request-id\`; the log of the service has it.
- \`details\` are the facts of the error, \`issues\` the faults of an invalid request: one for each place, as
  \`{"path": "body.website", "message": "expected …"}\`. A path begins with \`path\`, \`query\`, \`headers\` or \`body\`. What was sent is not repeated.
- A 503 or 429 that passes by itself has the header \`Retry-After\` (seconds). One of a feature that is switched off has none.
`
