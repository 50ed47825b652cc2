import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { HttpLimits } from "./HttpLimits.ts"

/** Connections are looked at so often, and several times within the limits. */
const LOOK_MILLIS = 1_000

/** How far a connection had come when it last took something. */
interface Mark {
  readonly taken: number
  readonly queued: number
  /** Looks that found it there again. They are counted, and not the time: a process that was suspended has waited for nobody. */
  readonly looks: number
}

/** What the system has not taken yet of the write under way; the one figure that moves within a large write. */
const queuedBytes = (socket: Socket): number =>
  (socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0

/** Something was sent that was not taken, or the connection was ended and its client has not gone. */
const isWaiting = (socket: Socket): boolean => socket.writableLength > 0 || socket.writableEnded

/**
 * Closes connections whose client does not read: an answer that nobody takes keeps its memory, and that of what makes it, for ever.
 * What counts is whether any byte is taken, so a slow reader gets all of its answer. The connection is reset, because the system
 * would go on offering what it holds of the answer.
 */
export const endStalledResponses = (
  server: Server,
  {
    patienceMillis,
    stallMillis,
    unsentBytesMax,
  }: Pick<HttpLimits, "patienceMillis" | "stallMillis" | "unsentBytesMax">,
): Server => {
  const marks = new Map<Socket, Mark | undefined>()
  server.on("connection", (socket) => {
    marks.set(socket, undefined)
    socket.once("close", () => marks.delete(socket))
  })

  const everyMillis = Math.min(LOOK_MILLIS, stallMillis / 4, patienceMillis / 2)
  const [looksMax, looksPatient] = [stallMillis, patienceMillis].map((millis) => Math.ceil(millis / everyMillis)) as [
    number,
    number,
  ]

  const look = () => {
    const patient: Array<Socket> = []
    let unsentBytes = 0
    let waiting = 0
    for (const [socket, mark] of marks) {
      if (!isWaiting(socket)) {
        if (mark !== undefined) marks.set(socket, undefined)
        continue
      }
      const [taken, queued] = [socket.bytesWritten - socket.writableLength, queuedBytes(socket)]
      const looks = mark?.taken === taken && mark.queued === queued ? mark.looks + 1 : 0
      marks.set(socket, { taken, queued, looks })
      if (looks >= looksMax) socket.resetAndDestroy()
      else {
        unsentBytes += socket.writableLength
        waiting++
        if (looks >= looksPatient) patient.push(socket)
      }
    }
    if (unsentBytes <= unsentBytesMax) return
    // A slow reader of little is not to pay for those who let much stand.
    for (const socket of patient.sort((a, b) => b.writableLength - a.writableLength)) {
      if (unsentBytes <= unsentBytesMax || socket.writableLength <= unsentBytesMax / waiting) return
      unsentBytes -= socket.writableLength
      socket.resetAndDestroy()
    }
  }

  const timer = setInterval(look, everyMillis).unref()
  return server.once("close", () => clearInterval(timer))
}
