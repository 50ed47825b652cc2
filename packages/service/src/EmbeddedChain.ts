import { join, resolve } from "node:path"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { transactionsOfLocalChain } from "@launch-registry/indexer/sources/CapturedTransactions"
import { makeFolder } from "@launch-registry/postgres/embedded/DataFolder"
import { claimFolder, releaseFolder } from "@launch-registry/postgres/embedded/FolderOwner"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { Announcement } from "./Announcement.ts"
import type { Settings } from "./Settings.ts"

/** Where wallets and the Solana tools look for a local cluster. */
const RPC_PORT = 8899

/** Another process uses the local chain of this folder. */
export class LocalChainInUse extends Schema.TaggedError<LocalChainInUse>()("LocalChainInUse", {
  folder: Schema.String,
  pid: Schema.Int,
}) {
  override get message(): string {
    return (
      `The local chain in ${this.folder} is in use by process ${this.pid}: stop it, choose another DATA_FOLDER, ` +
      `or set RPC_URL to the URL that it printed, with RPC_GENESIS_HASH=any`
    )
  }
}

/** Locks the folder: two processes would write the same slots. */
const owned = (folder: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      makeFolder(folder)
      const pid = claimFolder(folder)
      return pid === undefined ? Effect.void : Effect.fail(new LocalChainInUse({ folder, pid }))
    }),
    () => Effect.sync(() => releaseFolder(folder)),
  )

/** The local chain in this process, stored next to the embedded database, behind the same RPC client as any cluster. */
export const embeddedChain = ({ dataFolder, localChainPort, programsFolder }: Settings) => {
  const folder = join(resolve(dataFolder), "chain")
  const ports = Option.match(localChainPort, { onNone: () => [RPC_PORT, 0], onSome: (port) => [port] })
  const chain = LocalChain.layer({ folder, ports, programsFolder, captured: transactionsOfLocalChain })
  return Layer.unwrap(
    Effect.gen(function* () {
      const { programs, url } = yield* LocalChain
      const announcement = yield* Announcement
      const executes =
        programs.length === 0
          ? "cannot execute launches: programs are missing, `npx --yes pnpm@12.21.0 clone-programs <RPC URL>` fetches them for the next start"
          : `executes with ${programs.join(", ")}`
      announcement.add(
        "Solana",
        `local chain at ${url}, stored in ${folder}, seeded with two captured launches (${executes})`,
      )
      return Rpc.layer({ urls: [Redacted.make(url)], genesisHash: ANY_GENESIS })
    }),
  ).pipe(Layer.provide(chain), Layer.provide(Layer.effectDiscard(owned(folder))))
}
