/**
 * The first list of the board, asked for while the modules that show it are still on their way. The page starts this module before
 * all others, so it imports none.
 */

/** The request that the board makes first. */
const LIST = "api/launch/pools?include=market&limit=100&sort=newest&registered=any"
const WAIT_MILLIS = 15_000

let early: { readonly url: string; readonly answer: Promise<Response> } | undefined

if (/^#?\/?(board\/?(new)?)?$/.test(location.hash)) {
  const url = new URL(LIST, document.baseURI).href
  const answer = fetch(url, { redirect: "error", signal: AbortSignal.timeout(WAIT_MILLIS) })
  // Whoever takes it is told.
  answer.catch(() => {})
  early = { url, answer }
}

/** The answer to a request that was made early, once. */
export const takeEarly = (url: string): Promise<Response> | undefined => {
  if (early?.url !== url) return undefined
  const { answer } = early
  early = undefined
  return answer
}
