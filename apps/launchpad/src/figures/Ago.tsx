import { useEffect, useState } from "react"
import { formatRelative } from "./Format.ts"

const EVERY_MILLIS = 5_000

/** Drawn again together, by one timer however many times are shown. */
const shown = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const everySoOften = (draw: () => void): (() => void) => {
  shown.add(draw)
  timer ??= setInterval(() => {
    for (const one of shown) one()
  }, EVERY_MILLIS)
  return () => {
    shown.delete(draw)
    if (shown.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** How long ago something was; the exact time on hover. */
export const Ago = ({ time }: { readonly time: string }) => {
  const at = Date.parse(time)
  const [text, setText] = useState(() => formatRelative(at, Date.now()))
  useEffect(() => {
    const draw = () => setText(formatRelative(at, Date.now()))
    draw()
    return everySoOften(draw)
  }, [at])
  return (
    <time dateTime={time} title={new Date(at).toISOString()}>
      {text}
    </time>
  )
}
