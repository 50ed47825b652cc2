/** `clonePrograms.ts <RPC URL> [folder]`: downloads the programs that the local chain executes from a cluster. */
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { clonePrograms } from "../packages/chain/src/localnet/ClonePrograms.ts"
import { CLONED_PROGRAMS, saveProgram } from "../packages/chain/src/localnet/ProgramFiles.ts"

const [url, folder = join(import.meta.dirname, "../programs")] = process.argv.slice(2)
if (url === undefined || URL.parse(url) === null) {
  process.stderr.write("expected the URL of an RPC endpoint, such as https://api.mainnet-beta.solana.com\n")
  process.exit(2)
}
await Effect.runPromise(
  clonePrograms(Redacted.make(url), CLONED_PROGRAMS, {
    keep: (file, elf) => Effect.sync(() => saveProgram(folder, file, elf)),
    timeout: "4 minutes",
  }).pipe(
    Effect.match({
      onSuccess: (files) => {
        for (const { bytes, file } of files) process.stdout.write(`${join(folder, file)}: ${bytes} bytes\n`)
        process.stdout.write("The DBC program is under a non-commercial licence: keep it out of the repository.\n")
      },
      onFailure: (error) => {
        process.stderr.write(`${error.message}\n`)
        process.exitCode = 1
      },
    }),
  ),
)
