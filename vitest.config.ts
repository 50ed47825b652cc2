import { defineConfig } from "vitest/config"
import { testFiles, unitTests } from "./scripts/UnitTests.ts"

const all = testFiles()
const unit = unitTests(all)

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ["default", "./scripts/ClosingLine.ts"],
    // Far beyond what any test takes on a busy machine: only what never ends is ended.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: ["scripts/FixedSeed.ts"],
    provide: { otherPostgresSockets: process.env.TEST_POSTGRES_SOCKETS },
    projects: [
      { extends: true, test: { name: "unit", include: [...unit], isolate: false } },
      {
        extends: true,
        test: {
          name: "whole",
          include: all.filter((file) => !unit.includes(file)),
          globalSetup: ["migrations/src/TestPostgres.ts"],
        },
      },
    ],
  },
})
