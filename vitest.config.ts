import { defineConfig } from "vitest/config"
import { isSweep } from "./scripts/Laws.ts"
import TestOrder from "./scripts/TestOrder.ts"
import { testProjects } from "./scripts/TestProjects.ts"

if (isSweep) {
  process.env.PROPERTY_SEED ??= String(Date.now() % 1_000_000)
  process.stdout.write(`PROPERTY_SEED=${process.env.PROPERTY_SEED}\n`)
}

const { database, processes, unit } = testProjects()

const FOLDER = "scripts/TestFolder.ts"
const POSTGRES = "migrations/src/TestPostgres.ts"
const COMMANDS = "packages/service/test/TestCommands.ts"

export default defineConfig({
  test: {
    // Twice the cores of CI: some tests wait for other processes, or for the clock.
    maxWorkers: 4,
    // Files share their worker's modules: what a file leaves behind, others meet.
    isolate: false,
    sequence: { sequencer: TestOrder },
    reporters: ["default", "./scripts/ClosingLine.ts"],
    // Far beyond what any test takes on a busy machine: only what never ends is ended.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: ["scripts/LawExamples.ts"],
    provide: { otherPostgresSockets: process.env.TEST_POSTGRES_SOCKETS },
    projects: [
      {
        extends: true,
        test: { name: "processes", include: [...processes], globalSetup: [FOLDER, POSTGRES, COMMANDS] },
      },
      { extends: true, test: { name: "database", include: [...database], globalSetup: [FOLDER, POSTGRES] } },
      { extends: true, test: { name: "unit", include: [...unit], globalSetup: [FOLDER] } },
    ],
  },
})
