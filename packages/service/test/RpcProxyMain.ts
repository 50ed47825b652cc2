import { connect, createServer } from "node:net"
import type { AddressInfo } from "node:net"

/** A process between the service and its chain that can be killed and stopped: `RpcProxyMain.ts <port of the chain>`. */
const server = createServer((inbound) => {
  const outbound = connect(Number(process.argv[2]), "127.0.0.1")
  inbound.on("error", () => outbound.destroy()).pipe(outbound)
  outbound.on("error", () => inbound.destroy()).pipe(inbound)
}).listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())
