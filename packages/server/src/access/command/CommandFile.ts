/** How the command of keys is called here: in a checkout, or in the container image, which runs a bundle. */
export const KEYS = import.meta.filename.endsWith(".ts") ? "node packages/access/src/main.ts" : "node dist/keys.mjs"
