import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { assert, describe, it } from "vitest"

const ROOT = join(import.meta.dirname, "..")

const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(ROOT, file)))
const read = (file: string) => readFileSync(join(ROOT, file), "utf8")

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
    .replaceAll(" ", "-")

const anchorsOf = (page: string) => [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))

describe("The pages", () => {
  it("link to existing files and headings", () => {
    const broken: Array<string> = []
    for (const page of pages) {
      for (const [, link] of read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [path, anchor] = link!.split("#")
        const target = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path!))
        const isThere = existsSync(join(ROOT, target))
        if (!isThere || (anchor !== undefined && !anchorsOf(target).includes(anchor))) broken.push(`${page}: ${link}`)
      }
    }
    assert.deepStrictEqual(broken, [])
  })
})
