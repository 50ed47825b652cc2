import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

interface Server {
  readonly run: () => Promise<{ readonly port: number }>
  readonly close: () => Promise<void>
  readonly httpServer: { readonly closeAllConnections: () => void }
}

const S3rver: new (options: Readonly<Record<string, unknown>>) => Server =
  // It has no types.
  createRequire(import.meta.url)("@20minutes/s3rver")

/** Its only pair of keys. */
export const KEY = "S3RVER"
export const BUCKET = "launchpad"

/** An independent S3 server that checks signatures; and its objects. */
export const s3rver = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "s3rver-"))),
    (directory) => Effect.promise(() => rm(directory, { recursive: true })),
  )
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => server.run()),
    () =>
      Effect.promise(() => {
        const closed = server.close()
        server.httpServer.closeAllConnections()
        return closed
      }),
  )
  const kept = Effect.promise(async () => {
    const entries = await readdir(join(directory, BUCKET), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
    const bodies = await Promise.all(files.filter((file) => file.endsWith("_object")).map((file) => readFile(file)))
    return { names: files.map((file) => file.slice(join(directory, BUCKET).length + 1)), bodies }
  })
  return { url: `http://127.0.0.1:${port}`, kept }
})
