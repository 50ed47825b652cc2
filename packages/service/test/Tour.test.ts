import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { sourceFile } from "./CommandFile.ts"
import { answering, freePort, run, type Running } from "./RunningService.ts"
import { untilAnswer } from "./UntilAnswer.ts"

const readText = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")
/** README's six calls. */
const SIX_CALLS = /## Six calls[\s\S]*?(?=\n## )/.exec(readText("README.md"))![0]
const MARK = "@@end of step@@"
/** A running service to take the tour of, such as the container of `scripts/container-check`. */
const GIVEN_URL = process.env.TOUR_URL
/** A new data folder and a first start, on a busy machine. */
const START_MILLIS = 300_000

/** The commands of a text, each with the printed answer below it, if any. */
const stepsOf = (markdown: string) => {
  const blocks = [...markdown.matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({
    kind: kind!,
    text: text!,
  }))
  return blocks.flatMap(({ kind, text }, index) => {
    const next = blocks[index + 1]
    return kind === "sh"
      ? [{ commands: text, answer: next === undefined || next.kind === "sh" ? undefined : next }]
      : []
  })
}

/** Whether `actual` contains everything in `printed`; `…` stands for what differs between runs. */
const assertPrinted = (actual: unknown, printed: unknown, path = "answer"): void => {
  if (typeof printed === "string" && printed.includes("…")) {
    assert.isString(actual, path)
    assert.isTrue((actual as string).startsWith(printed.replace("…", "")), `${path}: ${String(actual)}`)
  } else if (Array.isArray(printed)) {
    assert.lengthOf(actual as Array<unknown>, printed.length, path)
    for (const [index, item] of printed.entries())
      assertPrinted((actual as Array<unknown>)[index], item, `${path}[${index}]`)
  } else if (typeof printed === "object" && printed !== null) {
    for (const [key, value] of Object.entries(printed)) {
      assertPrinted((actual as Record<string, unknown> | undefined)?.[key], value, `${path}.${key}`)
    }
  } else assert.strictEqual(actual, printed, path)
}

const bash = (script: string, folder: string) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn("bash", ["-eu"], { cwd: folder, env: { PATH: process.env.PATH } })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
    child.on("exit", (code) => (code === 0 ? resolve(output) : reject(new Error(output))))
    child.stdin.end(script)
  })

/** A human reader is slower than the index; this test is not, so it waits until slots are proven. */
const untilProven = (url: string) => untilAnswer(`${url}/api/system/indexer`, ({ data }) => data.watermarkSlot !== null)

describe("The tour", () => {
  let folder = ""
  let service: Running | undefined
  let url = GIVEN_URL ?? ""

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "registry-tour-"))
    if (GIVEN_URL !== undefined) return untilProven(url)
    const port = await freePort()
    url = `http://localhost:${port}`
    const environment = {
      DATA_FOLDER: folder,
      PORT: String(port),
      PROGRAMS_FOLDER: join(folder, "none"),
      PUBLIC_URL: "http://localhost:3001",
    }
    // As README starts it; tests of other processes start from a bundle.
    service = run(environment, sourceFile("service"))
    await answering(service, url)
    await untilProven(url)
  }, START_MILLIS)

  afterAll(async () => {
    service?.process.kill("SIGTERM")
    await service?.ended
    rmSync(folder, { recursive: true, force: true })
  })

  it("in README gets the printed answers", async () => {
    const steps = stepsOf(SIX_CALLS)
    assert.isAtLeast(steps.length, 6)
    const script = steps.map(
      ({ commands }) => `${commands.replace("api=http://localhost:3001", `api=${url}`)}\necho; echo "${MARK}"`,
    )
    const outputs = (await bash(script.join("\n"), folder)).split(MARK)
    for (const [index, { answer, commands }] of steps.entries()) {
      const output = outputs[index]!.trim()
      assert.notMatch(output, /internal_error|_unavailable/, commands)
      if (answer !== undefined)
        assertPrinted(JSON.parse(output.slice(output.lastIndexOf('{"success"'))), JSON.parse(answer.text), commands)
    }
  })
})
