import { defineConfig } from "vitest/config"
import { isSweep } from "./scripts/Laws.ts"
import { testKinds } from "./scripts/TestKinds.ts"
import TestOrder from "./scripts/TestOrder.ts"

if (isSweep) {
  process.env.PROPERTY_SEED ??= String(Date.now() % 1_000_000)
  process.stdout.write(`PROPERTY_SEED=${process.env.PROPERTY_SEED}\n`)
}

const { database, processes, unit } = testKinds()
const isUnit = process.env.TESTS === "unit"

export default defineConfig({
  test: {
    include: isUnit ? [...unit] : [...processes, ...database, ...unit],
    globalSetup: ["scripts/TestFolder.ts", ...(isUnit ? [] : ["migrations/src/TestPostgres.ts"])],
    setupFiles: ["scripts/LawExamples.ts"],
    reporters: ["default", "./scripts/ClosingLine.ts"],
    // Twice the cores of CI: some tests wait for other processes, or for the clock.
    maxWorkers: 4,
    // Files share their worker's modules: what a file leaves behind, others meet.
    isolate: false,
    sequence: { sequencer: TestOrder },
    // Far beyond what any test takes on a busy machine: only what never ends is ended.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    provide: { otherPostgresSockets: process.env.TEST_POSTGRES_SOCKETS },
  },
})
