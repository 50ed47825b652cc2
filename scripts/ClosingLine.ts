import type { Reporter, TestModule } from "vitest/node"

/** Ends a run with the line `N passed, N failed, N skipped`, for machines. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    let broken = unhandledErrors.length
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      // A file that fails to load has no tests that could fail.
      if (module.errors().length > 0) broken++
    }
    process.stdout.write(
      `\n${count.passed} passed, ${count.failed + broken} failed, ${count.skipped + count.pending} skipped\n`,
    )
  }
}
