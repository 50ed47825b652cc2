import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** The operating system account of the server, if it differs from that of this process. */
export interface ServerAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: root runs it as `postgres`, or as `nobody` if there is no such account. */
export const serverAccount = (): ServerAccount | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const account = accounts.find(([name]) => name === "postgres") ?? accounts.find(([name]) => name === "nobody")
  const [name = "nobody", , uid = "65534", gid = "65534"] = account ?? []
  return { name, uid: Number(uid), gid: Number(gid) }
}

/** Options of `spawn` that make a child run as `account`. */
export const runAs = (account: ServerAccount | undefined) =>
  account === undefined ? {} : { uid: account.uid, gid: account.gid }

/** Whether `account` can access `folder`, including all of its parents. */
export const canEnter = (account: ServerAccount | undefined, folder: string): boolean =>
  account === undefined ||
  spawnSync("test", ["-x", folder], { ...runAs(account), stdio: "ignore", cwd: "/" }).status === 0
