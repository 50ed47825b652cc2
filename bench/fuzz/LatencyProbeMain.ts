import { get } from "node:http"

/** `LatencyProbeMain.ts <URL>`: sends requests continuously, and answers a message with the longest latency in milliseconds. */
const [url = ""] = process.argv.slice(2)
const EVERY_MILLIS = 20
let longestMillis = 0
let askedAt = 0

const ask = () => {
  askedAt = performance.now()
  const answered = () => {
    longestMillis = Math.max(longestMillis, performance.now() - askedAt)
    askedAt = 0
    setTimeout(ask, EVERY_MILLIS)
  }
  get(url, { agent: false }, (response) => response.resume().on("end", answered)).on("error", answered)
}

ask()
process.on("message", () => {
  // The current request counts as well.
  const waitedMillis = askedAt === 0 ? 0 : performance.now() - askedAt
  process.send!(Math.max(longestMillis, waitedMillis))
})
