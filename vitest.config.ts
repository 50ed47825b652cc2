import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["migrations/test/**/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    globalSetup: ["migrations/src/TestPostgres.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ["default", "./scripts/ClosingLine.ts"],
  },
})
