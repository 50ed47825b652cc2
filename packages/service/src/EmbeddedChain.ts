import { join, resolve } from "node:path"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { MissingPrograms, programsMissing } from "@launch-registry/chain/localnet/MissingPrograms"
import type { LoadedPrograms } from "@launch-registry/chain/localnet/ProgramFiles"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { transactionsOfLocalChain } from "@launch-registry/indexer/sources/CapturedTransactions"
import { makeFolder } from "@launch-registry/postgres/embedded/DataFolder"
import { claimFolder, releaseFolder } from "@launch-registry/postgres/embedded/FolderOwner"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { Announcement } from "./Announcement.ts"
import { clonePrograms } from "./ClonedPrograms.ts"
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

const folderOf = ({ dataFolder }: Settings, part: string) => join(resolve(dataFolder), part)

/** The local chain in this process, stored next to the embedded database, behind the same RPC client as any cluster. */
export const embeddedChain = (settings: Settings) => {
  const { cloneProgramsUrl, localChainPort, programsFolder } = settings
  const folder = folderOf(settings, "chain")
  const clones = folderOf(settings, "programs")
  const ports = Option.match(localChainPort, { onNone: () => [RPC_PORT, 0], onSome: (port) => [port] })
  const programsFolders = [programsFolder, clones]
  const chain = LocalChain.layer({ folder, ports, programsFolders, captured: transactionsOfLocalChain })
  return Layer.unwrap(
    Effect.gen(function* () {
      const { hasSocketPort, programs, url } = yield* LocalChain
      const announcement = yield* Announcement
      const isCloning = programs.missing.length > 0 && Option.isSome(cloneProgramsUrl)
      if (isCloning) yield* Effect.forkScoped(clonePrograms(programs, cloneProgramsUrl.value, clones))
      announcement.add(
        "Solana",
        `local chain at ${url}, stored in ${folder}, a stand-in with two captured launches (${executes(programs, isCloning)})`,
      )
      if (!hasSocketPort)
        announcement.add(
          "Sockets",
          `at ${url} alone: the next port, where web3.js looks for subscriptions, is in use; give it a wsEndpoint`,
        )
      return Layer.merge(
        Rpc.layer({ urls: [Redacted.make(url)], genesisHash: ANY_GENESIS }),
        Layer.succeed(MissingPrograms, () => programs.missing),
      )
    }),
  ).pipe(Layer.provide(chain), Layer.provide(Layer.effectDiscard(owned(folder))))
}

const executes = ({ files, missing }: LoadedPrograms, isCloning: boolean): string =>
  missing.length === 0
    ? `executes with ${files.join(", ")}`
    : isCloning
      ? "cannot execute launches until their programs are cloned: a line of this log says so, or why they were not"
      : `cannot execute launches: ${programsMissing(missing)}`
