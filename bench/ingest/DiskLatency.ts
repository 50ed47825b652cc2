import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"

const REPEATS = 200
const PAGE_BYTES = 8_192

/** Median of a write of a page and `fdatasync`, which every commit waits for; in microseconds. */
export const syncMicros = (folder: string): number => {
  const path = join(folder, "sync")
  const file = openSync(path, "w")
  const page = Buffer.alloc(PAGE_BYTES, 1)
  const micros = Array.from({ length: REPEATS }, () => {
    const from = performance.now()
    writeSync(file, page, 0, PAGE_BYTES, 0)
    fdatasyncSync(file)
    return (performance.now() - from) * 1_000
  })
  closeSync(file)
  rmSync(path)
  return micros.toSorted((left, right) => left - right)[REPEATS / 2]!
}
