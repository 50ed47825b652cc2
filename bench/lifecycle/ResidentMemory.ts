import { residentMibOf } from "../ProcessFigures.ts"

const MIB = 1024 * 1024

/** Memory of a process, in MiB. */
export interface Memory {
  /** As the kernel counts it (Linux only). */
  readonly residentMib: number
  /** V8's heap in use, with garbage that is not collected yet. */
  readonly heapMib: number
  /** Buffers outside of the heap. */
  readonly externalMib: number
}

export interface Sample extends Memory {
  /** Since the start. */
  readonly minute: number
}

/** Reads what the kernel and `/metrics` say of a service. */
export const memoryOf = async ({ pid, url }: { readonly pid: number; readonly url: string }): Promise<Memory> => {
  const metrics = await fetch(`${url}/metrics`).then((response) => response.text())
  const mebibytesOf = (name: string) =>
    Math.round(Number(new RegExp(`^\\w*${name} (\\S+)$`, "m").exec(metrics)?.[1]) / MIB)
  return {
    residentMib: residentMibOf(pid),
    heapMib: mebibytesOf("heap_used_bytes"),
    externalMib: mebibytesOf("external_memory_bytes"),
  }
}
