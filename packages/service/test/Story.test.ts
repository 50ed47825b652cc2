import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { buildClient } from "../../../scripts/buildClient.ts"
import { commandOutput } from "./CommandOutput.ts"
import { localService } from "./StartedService.ts"

const ROOT = join(import.meta.dirname, "../../..")
const PROGRAMS = join(ROOT, "programs")
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so"].every((file) => existsSync(join(PROGRAMS, file)))
/** README's program, and what it says that it prints. */
const [, PROGRAM = "", PRINTED = ""] =
  /## Launch a token\n[\s\S]*?```js\n([\s\S]*?)```[\s\S]*?```\n([\s\S]*?)```/.exec(
    readFileSync(join(ROOT, "README.md"), "utf8"),
  ) ?? []
const LINES_MAX = 30

const folderWithClient = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "registry-story-")))
    buildClient(join(folder, "node_modules/@launch-registry/client"))
    mkdirSync(join(folder, "node_modules/@solana"))
    symlinkSync(
      realpathSync(join(import.meta.dirname, "../node_modules/@solana/kit")),
      join(folder, "node_modules/@solana/kit"),
    )
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
)

describe("README's launch", () => {
  it("is short", () => {
    assert.isNotEmpty(PRINTED)
    assert.isAtMost(PROGRAM.trimEnd().split("\n").length, LINES_MAX)
  })

  it.live.skipIf(!hasPrograms)("lands, and its trade is on the stream", () =>
    Effect.gen(function* () {
      const { chainUrl, url } = yield* localService(PROGRAMS)
      const folder = yield* folderWithClient
      const file = join(folder, "launch.mjs")
      const here = PROGRAM.replace("http://localhost:3001", url).replace("http://127.0.0.1:8899", chainUrl)
      assert.include(here, url)
      assert.include(here, chainUrl)
      writeFileSync(file, here)
      const { code, err, out } = yield* Effect.promise(() => commandOutput(file, [], {}, folder))
      assert.deepStrictEqual({ code, err }, { code: 0, err: "" }, out)
      const pattern = PRINTED.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", "[1-9A-HJ-NP-Za-km-z]+")
      assert.match(out, new RegExp(`^${pattern}$`))
    }).pipe(Effect.scoped),
  )
})
