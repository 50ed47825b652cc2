import { renameSync, writeFileSync } from "node:fs"
import { startCpuProfile } from "node:v8"

/** Loaded before a service: a first SIGUSR2 starts a profile of its CPU, a second one ends it and writes `PROFILE_FILE`. */
let profile: { readonly stop: () => string } | undefined
process.on("SIGUSR2", () => {
  if (profile === undefined) return void (profile = startCpuProfile())
  const file = process.env.PROFILE_FILE!
  writeFileSync(`${file}.part`, profile.stop())
  renameSync(`${file}.part`, file)
  profile = undefined
})
