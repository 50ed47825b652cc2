import { request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { interlacedPng } from "../../packages/ipfs/test/images/HeavySamples.ts"

/** Uploads that are in flight all the time, spread over so many addresses of loopback, for so long. */
export interface StormOrder {
  readonly port: number
  readonly uploads: number
  readonly addresses: number
  readonly millis: number
}

/** Answers by status. */
export type StormReport = Readonly<Record<string, number>>

/** One that is refused is sent again after this. */
const AGAIN_MILLIS = 100
const BOUNDARY = "storm-of-parts"
/** 26 million pixels in 200 kB, close to the most memory that decoding may take. */
const IMAGE = interlacedPng(5_100)
const BODY = Buffer.concat([
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`),
  IMAGE,
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
])

const storm = async ({ addresses, millis, port, uploads }: StormOrder): Promise<StormReport> => {
  const statuses: Record<string, number> = {}
  const over = AbortSignal.timeout(millis)
  const send = (localAddress: string) =>
    new Promise<string>((resolve) => {
      const sent = request({
        ...{ host: "127.0.0.1", port, localAddress, path: "/api/ipfs/upload-image", method: "POST", signal: over },
        headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, "content-length": BODY.length },
      })
      sent.on("response", (response) => response.resume().on("close", () => resolve(String(response.statusCode))))
      sent.on("error", () => resolve("none"))
      sent.end(BODY)
    })
  const goOn = async (place: number) => {
    while (!over.aborted) {
      const status = await send(`127.0.0.${2 + (place % addresses)}`)
      if (over.aborted) return
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status !== "200") await pause(AGAIN_MILLIS)
    }
  }
  await Promise.all(Array.from({ length: uploads }, (_, place) => goOn(place)))
  return statuses
}

process.on("message", (order: StormOrder) => void storm(order).then((report) => process.send!(report)))
process.once("disconnect", () => process.exit())
process.send!("ready")
