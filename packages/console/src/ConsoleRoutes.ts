import type { Launch } from "@launch-registry/domain/launch/Launch"
import { NewestLaunches } from "@launch-registry/domain/launch/NewestLaunches"
import { RouteNotFound } from "@launch-registry/domain/http/RequestErrors"
import { IMMUTABLE, REVALIDATED } from "@launch-registry/http/answers/CacheControl"
import { pagePolicy } from "@launch-registry/http/answers/PagePolicy"
import { digestOf, respondError } from "@launch-registry/http/answers/Respond"
import { staticDocument } from "@launch-registry/http/answers/StaticDocument"
import { Clock, Effect, Exit, Fiber, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type * as FirstView from "./FirstView.ts"
import { consoleFiles, importedBefore, PAGE } from "./ConsoleFiles.ts"

/** Paths of the console, for route lists. */
export const CONSOLE_ROUTES = [
  ["GET", "/console"],
  ["GET", "/console/files/*"],
] as const

/** Modules and styles from here alone; images of tokens from anywhere, over TLS. */
const POLICY = pagePolicy([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
])

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
}

type Document = ReturnType<typeof staticDocument>

/** What the page is told of its service. */
export interface PageFacts {
  readonly network: string
  /** What wallets sign writes for, where they have to. */
  readonly signInUrl?: string | undefined
  /** Path that gives SOL of a local chain. */
  readonly faucet?: string | undefined
}

const escaped = (text: string): string => text.replaceAll(/[&"<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const metas = ({ faucet, network, signInUrl }: PageFacts): string =>
  Object.entries({ network, faucet, "sign-in": signInUrl })
    .flatMap(([name, value]) => (value === undefined ? [] : [`<meta name="${name}" content="${escaped(value)}" />`]))
    .join("\n    ")

/** About two screens of a desktop; the browser reads the whole page of the list behind them. */
const LAUNCHES = 20
/** The page does not wait longer for them. */
const DEADLINE_MILLIS = 250

interface Console {
  /** With these launches, or without any where they are not known. */
  readonly page: (launches: ReadonlyArray<Launch> | undefined, now: number) => Document
  /** The file at a path below `/console/files/`. */
  readonly at: (path: string) => Document | undefined
}

/**
 * Files have the digest of all of them in their path, so that they never change there. A page of another version, while
 * replicas are being replaced, gets the files of this one, and nothing keeps them.
 */
const assemble = (
  facts: PageFacts,
  files: ReadonlyMap<string, string>,
  firstView: typeof FirstView.firstView,
): Console => {
  const digest = digestOf([...files].flat().join("\0"))
  const served = (cacheControl: string): ReadonlyMap<string, Document> => {
    const documents = new Map<string, Document>()
    for (const [path, text] of files) {
      const contentType = CONTENT_TYPES[path.split(".").at(-1)!]
      const headers = { "cache-control": cacheControl }
      if (contentType !== undefined) documents.set(path, staticDocument(text, { contentType, headers }))
    }
    return documents
  }
  const lasting = served(IMMUTABLE)
  const passing = served(REVALIDATED)
  // Browsers would find them one after the other. Screens that are loaded when they are opened are not among them.
  const preloaded = importedBefore(files, "Main.js").map(
    (path) => `<link rel="modulepreload" href="console/files/${digest}/${path}">`,
  )
  const html = files
    .get(PAGE)!
    .replaceAll("{files}", () => `console/files/${digest}`)
    .replace("{preloaded}", () => preloaded.join("\n    "))
    .replace("{facts}", () => metas(facts))
  return {
    page: (launches, now) => {
      const view = firstView(launches, now)
      // At once: a name of a token can be anything, also one of these.
      const text = html.replaceAll(/\{(shell|list)\}/g, (_, part: keyof FirstView.FirstView) => view[part])
      return staticDocument(text, { contentType: "text/html; charset=utf-8", headers: POLICY })
    },
    at: (path) => {
      const slash = path.indexOf("/")
      return (path.slice(0, slash) === digest ? lasting : passing).get(path.slice(slash + 1))
    },
  }
}

const file = Effect.fnUntraced(function* (console: Effect.Effect<Console>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const [path = ""] = request.url.split("?", 1)
  // A look-up among known paths: no path leads out of the console.
  const found = (yield* console).at(path.slice("/console/files/".length))
  if (found !== undefined) return yield* found
  return yield* respondError(
    RouteNotFound.response,
    new RouteNotFound({ method: request.method, path: path.slice(0, 200) }),
  )
})

/** The launches, unless they take long or cannot be read: a page that says so is better than none. */
const launchesSoon = Effect.fnUntraced(function* (read: Effect.Effect<ReadonlyArray<Launch>>) {
  const reading = yield* Effect.forkDetach(read)
  const exit = yield* Effect.timeoutOption(Fiber.await(reading), DEADLINE_MILLIS)
  // Nobody waits for its end either.
  if (Option.isNone(exit)) reading.interruptUnsafe()
  return Option.isSome(exit) && Exit.isSuccess(exit.value) ? exit.value.value : undefined
})

/**
 * The console at `/console`: files, and the first view of the board rendered into the page. Whatever else it shows it reads from the
 * API, as any other page could.
 */
export const consoleRoutes = (facts: PageFacts, filesOf = consoleFiles) => {
  // Made when it is first asked for: few processes ever are.
  let assembled: Promise<Console> | undefined
  const assembling = async (): Promise<Console> =>
    assemble(facts, filesOf(), (await import("./FirstView.ts")).firstView)
  const console = Effect.promise(() => {
    assembled ??= assembling().catch((error: unknown) => {
      // What could not be read now is read for the next request.
      assembled = undefined
      throw error
    })
    return assembled
  })
  return Layer.unwrap(
    Effect.map(NewestLaunches, ({ read }) => {
      const page = Effect.gen(function* () {
        const { page } = yield* console
        const launches = yield* launchesSoon(read(LAUNCHES))
        return yield* page(launches, yield* Clock.currentTimeMillis)
      })
      return Layer.mergeAll(
        HttpRouter.add("GET", "/console", page),
        HttpRouter.add("GET", "/console/files/*", file(console)),
      )
    }),
  )
}
