import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const ROWS = 20

const seconds = (millis: number): string => (millis / 1_000).toFixed(1).padStart(8)

/** What a file takes: its imports, set-up and tests. */
const millisOf = (module: TestModule): number => {
  const { collectDuration, duration, setupDuration } = module.diagnostic()
  return collectDuration + duration + setupDuration
}

/** Ends a run with its slowest files, and what each project took: `pnpm test:slowest`. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const lines = ["", " seconds  tests  file"]
    for (const module of modules.toSorted((a, b) => millisOf(b) - millisOf(a)).slice(0, ROWS)) {
      const tests = `${[...module.children.allTests()].length}`.padStart(5)
      lines.push(`${seconds(millisOf(module))}  ${tests}  ${relative(process.cwd(), module.moduleId)}`)
    }
    lines.push("", " seconds  tests  files  project")
    for (const [name, all = []] of Object.entries(Object.groupBy(modules, ({ project }) => project.name))) {
      const tests = `${all.flatMap(({ children }) => [...children.allTests()]).length}`.padStart(5)
      const millis = all.reduce((sum, module) => sum + millisOf(module), 0)
      lines.push(`${seconds(millis)}  ${tests}  ${`${all.length}`.padStart(5)}  ${name}`)
    }
    process.stdout.write(`${lines.join("\n")}\n`)
  }
}
