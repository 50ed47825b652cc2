import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { HttpLimits } from "./HttpLimits.ts"

/** Maximum check interval. */
const LOOK_MILLIS = 1_000

/** Progress of a connection at the last check. */
interface Mark {
  readonly taken: number
  readonly queued: number
  /** Checks without progress. Counted instead of timed, so that a suspended process blames no client. */
  readonly looks: number
}

/** Unsent bytes of the current write; the only number that changes during a large write. */
const queuedBytes = (socket: Socket): number =>
  (socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0

/** Data is unsent, or the connection is closed on our side only. */
const isWaiting = (socket: Socket): boolean => socket.writableLength > 0 || socket.writableEnded

/**
 * Closes connections whose client does not read: an unread response would hold its memory forever. Any accepted byte
 * counts as progress, so slow readers get their whole response. The connection is reset, because the kernel would keep
 * retransmitting.
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
    // Readers of small responses must not pay for those of large ones.
    for (const socket of patient.sort((a, b) => b.writableLength - a.writableLength)) {
      if (unsentBytes <= unsentBytesMax || socket.writableLength <= unsentBytesMax / waiting) return
      unsentBytes -= socket.writableLength
      socket.resetAndDestroy()
    }
  }

  const timer = setInterval(look, everyMillis).unref()
  return server.once("close", () => clearInterval(timer))
}
