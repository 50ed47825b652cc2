import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { HttpLimits } from "./HttpLimits.ts"

/**
 * Ends connections whose client does not read: an unread response would hold its memory forever. Node's own timeout ends one that
 * takes no byte for so long; where all of them hold too much, those that took none since the last look go earlier, the largest first.
 */
export const endStalledResponses = (
  server: Server,
  {
    patienceMillis,
    stallMillis,
    unsentBytesMax,
  }: Pick<HttpLimits, "patienceMillis" | "stallMillis" | "unsentBytesMax">,
): Server => {
  /** Bytes that each connection had taken at the last look. */
  const taken = new Map<Socket, number>()
  server.on("connection", (socket) => {
    taken.set(socket, -1)
    socket.once("close", () => taken.delete(socket))
  })

  const look = () => {
    const unread = [...taken.keys()].filter(({ writableLength }) => writableLength > 0)
    // Readers of small responses must not pay for those of large ones.
    const share = unsentBytesMax / unread.length
    let unsentBytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0)
    for (const socket of unread.sort((a, b) => b.writableLength - a.writableLength)) {
      const bytes = socket.writableLength
      const before = taken.get(socket)
      taken.set(socket, socket.bytesWritten - bytes)
      if (unsentBytes <= unsentBytesMax || bytes <= share || before !== socket.bytesWritten - bytes) continue
      unsentBytes -= bytes
      // Otherwise the kernel would keep retransmitting.
      socket.resetAndDestroy()
    }
  }

  const timer = setInterval(look, patienceMillis).unref()
  server.once("close", () => clearInterval(timer))
  // It is also that of idle connections, which are not reset.
  return server.setTimeout(stallMillis, (socket: Socket) =>
    socket.writableLength > 0 ? socket.resetAndDestroy() : socket.destroy(),
  )
}
