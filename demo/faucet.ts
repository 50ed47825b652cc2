/** `pnpm faucet <address> [SOL] [RPC URL]`: gives a wallet SOL on a local chain. */
import { isAddress } from "@solana/kit"
import { Cluster } from "./Cluster.ts"

const USAGE =
  "expected the address of a wallet, and optionally SOL (0.000000001 to 10000; 10 by default) and an RPC URL\n"
const LAMPORTS_DIGITS = 9

const [address, sol = "10", url = "http://127.0.0.1:8899"] = process.argv.slice(2)
const [, whole, fraction = ""] = /^(\d{1,5})(?:\.(\d{1,9}))?$/.exec(sol) ?? []
const lamports = whole === undefined ? 0n : BigInt(whole + fraction.padEnd(LAMPORTS_DIGITS, "0"))
const isValid =
  address !== undefined && isAddress(address) && URL.canParse(url) && lamports > 0n && lamports <= 10_000n * 10n ** 9n
if (!isValid) {
  process.stderr.write(USAGE)
  process.exit(2)
}
try {
  const signature = await new Cluster(url).airdrop(address, lamports)
  process.stdout.write(`${sol} SOL to ${address}: ${signature}\n`)
} catch (error) {
  process.stderr.write(`No airdrop by ${url}: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
