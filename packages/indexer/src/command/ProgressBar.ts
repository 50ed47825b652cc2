import { Clock, Effect } from "effect"

const WIDTH = 30
const EVERY_MILLIS = 200

/** Writes the progress to standard error, with the remaining time at the current pace. */
export const progressBar = Effect.fn("progressBar")(function* (what: string) {
  const startedAt = yield* Clock.currentTimeMillis
  const isTerminal = process.stderr.isTTY
  let shownAt = Number.NEGATIVE_INFINITY

  return (done: number, total: number, detail: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const isEnd = done >= total
      if (!isEnd && now - shownAt < (isTerminal ? EVERY_MILLIS : EVERY_MILLIS * 50)) return
      shownAt = now
      const line = `${what} ${progressLine(done, total, now - startedAt)} ${detail}`
      process.stderr.write(isTerminal ? `\r\u001b[K${line}${isEnd ? "\n" : ""}` : `${line}\n`)
    })
})

/** Bar, share and time left. */
export const progressLine = (done: number, total: number, elapsedMillis: number): string => {
  const share = total <= 0 ? 1 : Math.min(done / total, 1)
  const filled = Math.round(share * WIDTH)
  const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled)
  const left = share === 0 ? "?" : durationOf((elapsedMillis * (1 - share)) / share)
  return `[${bar}] ${(share * 100).toFixed(1).padStart(5)} % ETA ${left}`
}

const durationOf = (millis: number): string => {
  const seconds = Math.ceil(millis / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return `${hours}:${String(minutes).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`
}
