import { defineConfig } from "vitest/config"
import { isSweep } from "./scripts/Laws.ts"
import { testKinds } from "./scripts/TestKinds.ts"
import TestOrder from "./scripts/TestOrder.ts"

if (isSweep) {
  process.env.PROPERTY_SEED ??= String(Date.now() % 1_000_000)
  process.stdout.write(`PROPERTY_SEED=${process.env.PROPERTY_SEED}\n`)
}

const { database, indexer, processes, unit } = testKinds()
const FOLDER = "scripts/TestFolder.ts"
const POSTGRES = "migrations/src/TestPostgres.ts"

const project = (name: string, files: ReadonlyArray<string>, globalSetup: Array<string>) => ({
  extends: true as const,
  test: { name, include: [...files], globalSetup },
})

export default defineConfig({
  test: {
    setupFiles: ["scripts/LawExamples.ts"],
    reporters: ["default", "./scripts/ClosingLine.ts"],
    // Twice the cores of CI: some tests wait for other processes, or for the clock.
    maxWorkers: 4,
    // Files share their worker's modules: what a file leaves behind, others meet. Each project begins with new workers.
    isolate: false,
    sequence: { sequencer: TestOrder },
    // Far beyond what any test takes on a busy machine: only what never ends is ended.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    provide: { otherPostgresSockets: process.env.TEST_POSTGRES_SOCKETS },
    projects: [
      project("processes", processes, [FOLDER, POSTGRES]),
      project("indexer", indexer, [FOLDER, POSTGRES]),
      project("database", database, [FOLDER, POSTGRES]),
      project("unit", unit, [FOLDER]),
    ],
  },
})
