import { useEffect, useState } from "preact/hooks"
import { formatRelative } from "./Format.ts"
import { html, type View } from "./Html.ts"

const EVERY_MILLIS = 5_000

/** Drawn again together, by one timer however many times are shown. */
const shown = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

const everySoOften = (draw: (now: number) => void): (() => void) => {
  shown.add(draw)
  timer ??= setInterval(() => {
    for (const one of shown) one(Date.now())
  }, EVERY_MILLIS)
  return () => {
    shown.delete(draw)
    if (shown.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** How long ago something was; the exact time on hover. */
export const Ago = ({ time }: { readonly time: string }): View => {
  const at = Date.parse(time)
  const [text, setText] = useState(formatRelative(at, Date.now()))
  useEffect(() => {
    // The same text again draws nothing.
    setText(formatRelative(at, Date.now()))
    return everySoOften((now) => setText(formatRelative(at, now)))
  }, [at])
  return html`<time datetime=${time} title=${new Date(at).toISOString()}>${text}</time>`
}
