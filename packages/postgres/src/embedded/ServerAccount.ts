import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** The operating system account a server runs as, when that is not the account of the service itself. */
export interface ServerAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as `postgres`, or as `nobody` where that account does not
 * exist; everyone else runs it as themselves.
 */
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

/** Whether `account` can reach what is in `folder`: every folder above must let it pass, and the folder itself. */
export const canEnter = (account: ServerAccount | undefined, folder: string): boolean =>
  account === undefined ||
  spawnSync("test", ["-x", folder], { ...runAs(account), stdio: "ignore", cwd: "/" }).status === 0
