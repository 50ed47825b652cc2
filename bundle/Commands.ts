/** The commands of the container image, by the names of their files in the bundle. */
export const COMMANDS = {
  service: "packages/service/src/main.ts",
  migrate: "migrations/src/main.ts",
  indexer: "packages/indexer/src/main.ts",
  keys: "packages/access/src/main.ts",
} as const
