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
import { CLONED_PROGRAMS } from "@launch-registry/chain/localnet/ProgramFiles"
import { Effect } from "effect"
import { programCluster, upgradeable } from "../../chain/test/localnet/ProgramCluster.ts"
import { buildClient } from "../../../scripts/buildClient.ts"
import { commandOutput } from "./CommandOutput.ts"
import { localService } from "./StartedService.ts"
import { untilAnswer } from "./UntilAnswer.ts"

const ROOT = join(import.meta.dirname, "../../..")
const PROGRAMS = join(ROOT, "programs")
const FILES = CLONED_PROGRAMS.filter(([file]) => existsSync(join(PROGRAMS, file)))
const hasPrograms = FILES.length === CLONED_PROGRAMS.length
const accountsOf = ([file, program]: (typeof FILES)[number]) => upgradeable(program, readFileSync(join(PROGRAMS, file)))
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

/** The program with the addresses of a service that runs. */
const placed = ({ chainUrl, url }: { readonly chainUrl: string; readonly url: string }) =>
  Effect.map(folderWithClient, (folder) => {
    const file = join(folder, "launch.mjs")
    const here = PROGRAM.replace("http://localhost:3001", url).replace("http://127.0.0.1:8899", chainUrl)
    assert.include(here, url)
    assert.include(here, chainUrl)
    writeFileSync(file, here)
    return { file, folder }
  })

describe("README's launch", () => {
  it("is short", () => {
    assert.isNotEmpty(PRINTED)
    assert.isAtMost(PROGRAM.trimEnd().split("\n").length, LINES_MAX)
  })

  it.live("ends at once where the chain cannot execute it, and says why", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* placed(yield* localService("/none", { CLONE_PROGRAMS: "off" }))
      const { code, err, out } = yield* Effect.promise(() => commandOutput(file, [], {}, folder))
      assert.deepStrictEqual({ code, out }, { code: 1, out: "" })
      assert.match(
        err,
        /RegistryError: not_configured: The chain of this registry lacks the programs dbci.*: GET \/ says/,
      )
    }).pipe(Effect.scoped),
  )

  it.live.skipIf(!hasPrograms)(
    "lands on the programs that the first start cloned, and its trade is on the stream",
    () =>
      Effect.gen(function* () {
        const cluster = yield* programCluster(Object.assign({}, ...FILES.map(accountsOf)))
        const service = yield* localService("/none", { CLONE_PROGRAMS: cluster.url })
        yield* Effect.promise(() => untilAnswer(`${service.url}/readyz`, ({ data }) => data.warnings.length === 0))
        const { file, folder } = yield* placed(service)
        const { code, err, out } = yield* Effect.promise(() => commandOutput(file, [], {}, folder))
        assert.deepStrictEqual({ code, err }, { code: 0, err: "" }, out)
        const pattern = PRINTED.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", "[1-9A-HJ-NP-Za-km-z]+")
        assert.match(out, new RegExp(`^${pattern}$`))
      }).pipe(Effect.scoped),
  )
})
