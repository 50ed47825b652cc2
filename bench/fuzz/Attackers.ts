import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** The result of an attack. */
export interface AttackOutcome {
  /** Answers by status, without unread ones. */
  readonly statuses: Readonly<Record<string, number>>
  readonly largestBytes: number
  /** For held connections, how many were still open at the end; `undefined` if there are none. */
  readonly alive?: number
}

export interface AttackContext {
  readonly url: string
  /** How long idle connections are watched. */
  readonly holdMillis: number
}

export interface Attack {
  readonly name: string
  readonly run: (context: AttackContext) => Promise<AttackOutcome>
}

interface AttackRequest {
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

/** Many concurrent copies of a request, every answer read to its end. */
export const atOnce = async (
  { url }: AttackContext,
  times: number,
  { body, path, type }: AttackRequest,
): Promise<AttackOutcome> => {
  const statuses: Record<string, number> = {}
  let largestBytes = 0
  const send = async () => {
    const headers = { "content-type": type }
    const sent = fetch(`${url}${path}`, { method: "POST", headers, body: new Uint8Array(body) })
    const [status, bytes] = await sent.then(
      async (response) => [String(response.status), (await response.arrayBuffer()).byteLength] as const,
      () => ["none", 0] as const,
    )
    statuses[status] = (statuses[status] ?? 0) + 1
    largestBytes = Math.max(largestBytes, bytes)
  }
  await Promise.all(Array.from({ length: times }, send))
  return { statuses, largestBytes }
}

/** A socket that is open until the other side closes it. */
const opened = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  await new Promise<void>((resolve) => {
    socket.once("connect", resolve)
    socket.once("close", () => resolve())
  })
  return socket
}

export interface HeldSockets {
  readonly count: number
  /** What each sends first. */
  readonly first: string
  /** What each sends every second afterwards. */
  readonly drip?: string
  /** Whether answers are read. */
  readonly isRead: boolean
}

/**
 * Many connections at once, held open for the duration of the context. A socket that nobody reads shows its end only
 * when it is read, at the end.
 */
export const held = async (
  { holdMillis, url }: AttackContext,
  { count, drip, first, isRead }: HeldSockets,
): Promise<AttackOutcome> => {
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(url)))
  for (const socket of sockets) {
    if (isRead) socket.resume()
    else socket.pause()
    if (first !== "") socket.write(first)
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) if (drip !== undefined && socket.writable) socket.write(drip)
  }, 1_000)
  await pause(holdMillis)
  clearInterval(dripping)
  // Checks whether it is still open by reading the pending bytes, which precede an end.
  const alive = await Promise.all(sockets.map(isAlive))
  for (const socket of sockets) socket.destroy()
  return { statuses: {}, largestBytes: 0, alive: alive.filter(Boolean).length }
}

const PROBE_MILLIS = 3_000

/** Whether the server keeps the connection: neither an end nor a reset follows what it had sent. */
const isAlive = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    if (socket.destroyed || socket.readableEnded) return resolve(false)
    const timer = setTimeout(() => resolve(true), PROBE_MILLIS)
    const gone = () => {
      clearTimeout(timer)
      resolve(false)
    }
    socket.once("end", gone)
    socket.once("close", gone)
    socket.resume()
  })
