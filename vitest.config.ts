import { defineConfig } from "vitest/config"
import { isSweep } from "./scripts/Laws.ts"
import { testKinds } from "./scripts/TestKinds.ts"
import TestOrder from "./scripts/TestOrder.ts"

if (isSweep) {
  process.env.PROPERTY_SEED ??= String(Date.now() % 1_000_000)
  process.stdout.write(`PROPERTY_SEED=${process.env.PROPERTY_SEED}\n`)
}

const { database, unit, waiting } = testKinds()

const FOLDER = "scripts/TestFolder.ts"
const POSTGRES = "migrations/src/TestPostgres.ts"

/** One project after another, each with so many workers at a time. */
const project = (
  groupOrder: number,
  name: string,
  maxWorkers: number,
  files: ReadonlyArray<string>,
  heavy: boolean,
) => ({
  extends: true as const,
  test: {
    ...{ name, maxWorkers, include: [...files], sequence: { groupOrder } },
    globalSetup: heavy ? [FOLDER, POSTGRES] : [FOLDER],
  },
})

export default defineConfig({
  test: {
    setupFiles: ["scripts/LawExamples.ts"],
    reporters: ["default", "./scripts/ClosingLine.ts"],
    // Files share their worker's modules: what a file leaves behind, others meet.
    isolate: false,
    sequence: { sequencer: TestOrder },
    // Far beyond what any test takes on a busy machine: only what never ends is ended.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    provide: { otherPostgresSockets: process.env.TEST_POSTGRES_SOCKETS },
    // Where tests compute all the time, more workers than that take more CPU for the same work.
    projects:
      process.env.TESTS === "unit"
        ? [project(0, "unit", 2, unit, false)]
        : [project(0, "waiting", 5, waiting, true), project(1, "working", 3, [...database, ...unit], true)],
  },
})
