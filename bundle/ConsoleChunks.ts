import { dirname, join } from "node:path"
import { PAGE } from "@launch-registry/console/ConsoleFiles"
import { rolldown } from "rolldown"

/** What the page starts, without `.js`. */
const startedBy = (page: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(/ (?:src|data-then)="\{files\}\/([^"]+)\.js"/g), ([, name]) => name!)

/**
 * The console's files with its modules joined: those of the first view are one file, and each screen that is loaded later is another. A
 * browser spends more on forty small modules than on their code. Nothing is renamed or put on one line, and licences stay where they are.
 */
export const consoleChunks = async (files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> => {
  const build = await rolldown({
    input: Object.fromEntries(startedBy(files.get(PAGE)!).map((name) => [name, `${name}.js`])),
    plugins: [
      {
        name: "console",
        resolveId: (path, importer) => (importer === undefined ? path : join(dirname(importer), path)),
        load: (path) => files.get(path),
      },
    ],
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(message)
    },
  })
  const { output } = await build.generate({
    ...{ format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    ...{ comments: { legal: true, annotation: false, jsdoc: false } },
  })
  await build.close()
  const joined = new Map([...files].filter(([path]) => !path.endsWith(".js")))
  for (const chunk of output) if (chunk.type === "chunk") joined.set(chunk.fileName, chunk.code)
  return joined
}
