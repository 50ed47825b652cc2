/** Readers of the event stream, as a process of their own: `node ReadersMain.ts <port> <query>...`, a connection for each query. */
import { connect } from "node:net"

const [port, ...queries] = process.argv.slice(2)
/** Connections that are opened at once. */
const AT_ONCE = 50

const delays: Array<number> = []

const opened = (query: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(`GET /api/stream?${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    )
    let rest = ""
    socket.on("data", (bytes) => {
      rest += bytes.toString("latin1")
      if (rest.includes("changes of the index")) resolve()
      for (const [, time] of rest.matchAll(/"time":"([^"]+)"/g)) delays.push(Date.now() - Date.parse(time!))
      rest = rest.slice(rest.lastIndexOf("\n") + 1)
    })
    socket.once("error", reject)
    socket.once("close", () => reject(new Error(`A stream ended: ${rest}`)))
  })

for (let at = 0; at < queries.length; at += AT_ONCE) await Promise.all(queries.slice(at, at + AT_ONCE).map(opened))
process.send!("open")
process.on("message", () => {
  process.send!(delays)
  process.exit()
})
