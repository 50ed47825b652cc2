import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { Schema } from "effect"

/** The folder cannot be used for data. */
export class DataFolderUnusable extends Schema.TaggedError<DataFolderUnusable>()("DataFolderUnusable", {
  folder: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `The folder ${this.folder} cannot be used: ${this.reason}; choose another DATA_FOLDER`
  }
}

/** Messages for error codes. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this process has no write permission",
  EPERM: "this process has no write permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file is in the way",
  EEXIST: "a file is in the way",
  ENOENT: "it cannot be created",
}

const make = (folder: string): void => {
  if (!existsSync(folder)) {
    make(dirname(folder))
    // Another process may have created it meanwhile.
    if (!existsSync(folder)) mkdirSync(folder)
  }
}

/**
 * Creates a folder and its parents, one by one: below /proc, Node's recursive mkdir never returns. Throws if the folder
 * is not writable.
 */
export const makeFolder = (folder: string): void => {
  try {
    make(folder)
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException
    throw new DataFolderUnusable({ folder, reason: REASONS[code] ?? message })
  }
}
