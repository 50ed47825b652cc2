import { readFileSync } from "node:fs"

const MIB = 1024 * 1024

/** Memory of a process, in MiB. */
export interface Memory {
  /** As the kernel counts it (Linux only). */
  readonly residentMib: number
  /** Of that, the heap that malloc grows in place, from which buffers come. */
  readonly mallocMib: number
  /** Of that, all other memory without a file: V8's heap, stacks, large buffers. */
  readonly mappedMib: number
  /** V8's heap in use, with garbage that is not collected yet. */
  readonly heapMib: number
  /** V8's heap with what it keeps in reserve. */
  readonly heapSizeMib: number
  /** Buffers outside of the heap. */
  readonly externalMib: number
}

export interface Sample extends Memory {
  /** Since the start. */
  readonly minute: number
}

/** Resident memory of a process by kind, from the list of its mappings. */
const residentOf = (pid: number) => {
  const kib = { malloc: 0, mapped: 0, files: 0 }
  let kind: keyof typeof kib = "files"
  for (const line of readFileSync(`/proc/${pid}/smaps`, "utf8").split("\n")) {
    const [, name] = /^[\da-f]+-[\da-f]+ \S+ \S+ \S+ \d+ *(.*)$/.exec(line) ?? []
    if (name !== undefined) kind = name === "[heap]" ? "malloc" : name.startsWith("/") ? "files" : "mapped"
    kib[kind] += Number(/^Rss: +(\d+) kB/.exec(line)?.[1] ?? 0)
  }
  const [mallocMib, mappedMib, residentMib] = [kib.malloc, kib.mapped, kib.malloc + kib.mapped + kib.files].map((all) =>
    Math.round(all / 1024),
  ) as [number, number, number]
  return { residentMib, mallocMib, mappedMib }
}

/** Reads what the kernel and `/metrics` say of a service. */
export const memoryOf = async ({ pid, url }: { readonly pid: number; readonly url: string }): Promise<Memory> => {
  const metrics = await fetch(`${url}/metrics`).then((response) => response.text())
  const mebibytesOf = (name: string) =>
    Math.round(Number(new RegExp(`^\\w*${name} (\\S+)$`, "m").exec(metrics)?.[1]) / MIB)
  return {
    ...residentOf(pid),
    heapMib: mebibytesOf("heap_used_bytes"),
    heapSizeMib: mebibytesOf("heap_size_bytes"),
    externalMib: mebibytesOf("external_memory_bytes"),
  }
}
