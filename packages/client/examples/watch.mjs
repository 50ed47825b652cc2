// Prints the newest launches and then each trade, until it is stopped: node watch.mjs [URL]
import { answered, connect } from "@launch-registry/client"

const { launch, stream } = connect({ baseUrl: process.argv[2] ?? "http://localhost:3001" })
const stopped = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopped.abort())

const symbols = new Map()
const name = (mint) => symbols.get(mint) ?? mint

const { data: newest } = answered(await launch.pools({ registered: "any", limit: 10 }))
for (const { mintAddress, stage, symbol } of newest) {
  if (symbol !== null) symbols.set(mintAddress, symbol)
  console.log(`${name(mintAddress)} ${mintAddress} ${stage}`)
}

const onConnection = (isOpen) => console.log(isOpen ? "Following trades" : "Connecting again")
const types = ["token", "trade", "graduation"]
try {
  for await (const { data, event } of stream.changes({ types }, { signal: stopped.signal, onConnection })) {
    if (event === "token") symbols.set(data.mintAddress, data.symbol)
    if (event === "token") console.log(`LAUNCH ${data.symbol} ${data.mintAddress}`)
    if (event === "trade") console.log(`${data.side} ${name(data.mintAddress)} at ${data.price ?? "an unknown price"}`)
    if (event === "graduation") console.log(`GRADUATED ${name(data.mintAddress)}`)
    if (event === "reset") console.log("Events are missing: what was read before has to be read again")
  }
} catch (error) {
  if (!stopped.signal.aborted) throw error
}
