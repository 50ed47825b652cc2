import { execFile } from "node:child_process"

/** What a command says, and its exit code. */
export const commandOutput = (
  file: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  cwd?: string,
) =>
  new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment }
    execFile(process.execPath, [file, ...args], { env, ...(cwd !== undefined && { cwd }) }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
