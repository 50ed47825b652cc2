import { createReadStream, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { readFile } from "node:fs/promises"

/** A file or folder of transactions cannot be read. */
export class FileUnreadable extends Error {
  override readonly name = "FileUnreadable"
}

/** A file larger than this must have one JSON value a line. */
const WHOLE_BYTES_MAX = 64 * 1024 * 1024

/** Text of bodies, and the total progress once it is read. */
export interface FileBody {
  readonly text: string
  readonly bytesRead: number
}

export const filesOf = (path: string): ReadonlyArray<string> => {
  try {
    return statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => /\.(json|jsonl|ndjson)$/.test(name))
          .sort()
          .map((name) => join(path, name))
      : [path]
  } catch (error) {
    throw new FileUnreadable(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/**
 * Raw transactions from files: JSON of one or of an array of them, or one such JSON a line (`.jsonl`, `.ndjson`), which is read
 * line by line and may be of any size.
 */
export const bodiesOf = async function* (files: ReadonlyArray<string>): AsyncGenerator<FileBody> {
  let bytesBefore = 0
  for (const file of files) {
    const { size } = statSync(file)
    if (/\.(jsonl|ndjson)$/.test(file)) yield* linesOf(file, bytesBefore)
    else if (size > WHOLE_BYTES_MAX)
      throw new FileUnreadable(`${file} is too large to be read at once: write one transaction a line`)
    else yield { text: await readFile(file, "utf8"), bytesRead: bytesBefore + size }
    bytesBefore += size
  }
}

const linesOf = async function* (file: string, bytesBefore: number): AsyncGenerator<FileBody> {
  let bytesRead = bytesBefore
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    bytesRead += Buffer.byteLength(text) + 1
    if (text.trim() !== "") yield { text, bytesRead }
  }
}
