/** How the command line of the indexer is called here: in a checkout, or in the container image, which runs a bundle. */
export const INDEXER = import.meta.filename.endsWith(".ts")
  ? "node packages/indexer/src/main.ts"
  : "node dist/indexer.mjs"
