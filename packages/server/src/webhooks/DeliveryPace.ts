import type { IncomingMessage } from "node:http"
import { slackAfter } from "@launch-registry/http/requests/BodyPace"

/** Calls `onTooSlow` when the body of a delivery stands still or falls behind the least rate, once. */
export const keepPace = (request: IncomingMessage, slackMillisMax: number, onTooSlow: () => void): void => {
  let slackMillis = slackMillisMax
  let atMillis = performance.now()
  let pieces = 0
  const expired = () => {
    const known = pieces
    // What came while this process was busy is read first.
    setImmediate(() => {
      if (pieces === known && !request.readableEnded) onTooSlow()
    })
  }
  let timer = setTimeout(expired, slackMillisMax)
  request.on("data", ({ length }: Buffer) => {
    const now = performance.now()
    slackMillis = slackAfter(slackMillis, { bytes: length, waitedMillis: now - atMillis }, slackMillisMax)
    atMillis = now
    pieces++
    clearTimeout(timer)
    timer = setTimeout(expired, Math.max(0, slackMillis))
  })
  const stop = () => clearTimeout(timer)
  request.once("end", stop).once("close", stop)
}
