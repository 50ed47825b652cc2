import { useSyncExternalStore } from "react"

/** Where the page is: the fragment of its URL, so that static files need no rule of their server. */
export interface Route {
  /** Parts of the path: `#/token/<mint>` has two. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
}

const parse = (fragment: string): Route => {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split("?", 2)
  return { path: path.split("/").filter((part) => part !== ""), query: new URLSearchParams(query) }
}

let fragment: string | undefined
let current = parse("")

const currentRoute = (): Route => {
  if (fragment !== location.hash) {
    fragment = location.hash
    current = parse(fragment)
  }
  return current
}

const subscribe = (onChange: () => void): (() => void) => {
  addEventListener("hashchange", onChange)
  return () => removeEventListener("hashchange", onChange)
}

export const useRoute = (): Route => useSyncExternalStore(subscribe, currentRoute)

/** The fragment of a path with these parameters; those that are empty are left out. */
export const hrefOf = (path: string, query: Readonly<Record<string, string | undefined>> = {}): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `#/${path}${given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`}`
}

/** Changes parameters of where the page is, without another entry in the history. */
export const changeQuery = (change: Readonly<Record<string, string | undefined>>): void => {
  const { path, query } = currentRoute()
  location.replace(hrefOf(path.join("/"), { ...Object.fromEntries(query), ...change }))
}
