import { useEffect, useState } from "preact/hooks"
import { Ago } from "./Ago.ts"
import { html, type View } from "./Html.ts"
import type { Failure } from "./Failure.ts"

/** What is shown where there is nothing else to show, and what says that something shown is not of now. */

export const Loading = ({ what }: { readonly what: string }): View =>
  html`<p class="state" role="status"><span class="spinner" aria-hidden="true"></span>${what} …</p>`

export const Empty = ({ children }: { readonly children?: View }): View =>
  html`<p class="state" role="status">${children}</p>`

const advice = ({ status }: Failure): string => {
  if (status === 0) return "Is the service running, and is this machine online?"
  if (status === 401) return "It asks for a key: enter one of an operator."
  if (status === 403) return "The key that was given may not read this: use one that may."
  if (status === 429) return "This address has asked too often. It goes on in a moment."
  return status >= 500 ? "The service could not answer this; Operate says more." : ""
}

export const Failed = ({ failure, onRetry }: { readonly failure: Failure; readonly onRetry?: () => void }): View =>
  html`<div class="state failed" role="alert">
    <p><b>${failure.message}</b></p>
    <p>${advice(failure)}</p>
    ${failure.requestId === undefined ? null : html`<p><small>Request ${failure.requestId}</small></p>`}
    ${onRetry === undefined ? null : html`<button onClick=${onRetry}>Try again</button>`}
  </div>`

/** Says when what is shown is not live; nothing when it is. */
export const Stale = ({
  failure,
  isLive,
  isOpening = false,
  readAt,
}: {
  readonly isLive: boolean
  readonly readAt: number | undefined
  readonly failure: Failure | undefined
  /** Nothing has been tried for long enough to be said. */
  readonly isOpening?: boolean
}): View => {
  if (isLive && failure === undefined)
    return html`<p class="live" role="status"><span aria-hidden="true">●</span> Live</p>`
  // Without the frame of what follows, which would move what is below it as soon as it is live.
  if (isOpening && failure === undefined)
    return html`<p class="connecting" role="status"><span aria-hidden="true">○</span> Connecting …</p>`
  const since =
    readAt === undefined ? null : html` What is shown was read <${Ago} time=${new Date(readAt).toISOString()} />.`
  return html`<p class="stale" role="status">
    ${failure === undefined ? "Not live: connecting." : `Not live: ${failure.message}.`}${since}
  </p>`
}

/** Says that the browser is offline. */
export const Offline = (): View => {
  const [isOnline, setIsOnline] = useState(true)
  useEffect(() => {
    const look = (): void => setIsOnline(navigator.onLine)
    look()
    addEventListener("online", look)
    addEventListener("offline", look)
    return () => {
      removeEventListener("online", look)
      removeEventListener("offline", look)
    }
  }, [])
  return isOnline
    ? null
    : html`<p class="stale" role="alert">This browser is offline. What is shown is no longer of now.</p>`
}
