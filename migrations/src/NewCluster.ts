import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** In the folder of a test run, which is that of its temporary files: the cluster of its server as `initdb` made it. */
const kept = () => join(tmpdir(), "new-cluster")

const dataOf = (folder: string): string => join(folder, "postgres", "data")

const copy = (from: string, to: string): void => void execFileSync("cp", ["-a", from, to])

/** Keeps the cluster of a stopped server for `withNewCluster`. */
export const keepNewCluster = (folder: string): void => copy(dataOf(folder), kept())

/** Gives a data folder the cluster that was kept, if there is one: `initdb` takes twenty times the CPU of a copy. */
export const withNewCluster = (folder: string): string => {
  if (existsSync(kept())) {
    mkdirSync(join(folder, "postgres"), { recursive: true })
    copy(kept(), dataOf(folder))
  }
  return folder
}
