import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** The process of one checkout: `ParsingMain.ts <checkout> <url of a node>`. Each message is answered with the CPU of one scan over the node's token accounts. */
const [checkout = "", url = ""] = process.argv.slice(2)

const modulesOf = (path: string) => import(pathToFileURL(join(checkout, "packages/chain", path)).href)
const { Rpc } = await modulesOf("src/rpc/Rpc.ts")
const { Effect, Logger, ManagedRuntime, Layer, Redacted } = await modulesOf("node_modules/effect/dist/index.js")

const PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const runtime = ManagedRuntime.make(
  Layer.provideMerge(
    Rpc.layer({ urls: [Redacted.make(url)], genesisHash: "any", probeMillis: 60_000 }),
    Logger.layer([]),
  ),
)
// oxlint-disable-next-line typescript/no-explicit-any
const call = (request: (kit: any) => unknown) =>
  // oxlint-disable-next-line typescript/no-explicit-any
  runtime.runPromise(Effect.flatMap(Rpc, (rpc: any) => rpc.call(request)))

await call((kit) => kit.getSlot())
process.on("message", () => {
  const from = process.cpuUsage()
  const scan = call((kit) =>
    kit.getProgramAccounts(PROGRAM, { encoding: "base64", dataSlice: { offset: 32, length: 40 } }),
  )
  void scan.then((accounts: ReadonlyArray<unknown>) => {
    const { system, user } = process.cpuUsage(from)
    process.send!({ accounts: accounts.length, cpuMillis: (system + user) / 1_000 })
  })
})
process.once("disconnect", () => process.exit())
process.send!("ready")
