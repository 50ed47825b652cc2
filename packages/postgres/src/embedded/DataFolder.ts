import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { Schema } from "effect"

/** Nothing can be kept in this folder. */
export class DataFolderUnusable extends Schema.TaggedError<DataFolderUnusable>()("DataFolderUnusable", {
  folder: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `The folder ${this.folder} cannot be used: ${this.reason}; choose another DATA_FOLDER`
  }
}

/** What the system says, in words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this process may not write there",
  EPERM: "this process may not write there",
  EROFS: "nothing can be written there",
  ENOSPC: "the disk is full",
  ENOTDIR: "there is a file in its way",
  EEXIST: "there is a file in its way",
  ENOENT: "it cannot be made there",
}

const make = (folder: string): void => {
  if (!existsSync(folder)) {
    make(dirname(folder))
    // Somebody else may have made it meanwhile.
    if (!existsSync(folder)) mkdirSync(folder)
  }
}

/**
 * Makes a folder, and those above it, one by one: where none can be made, as below /proc, Node's own recursion never ends.
 * Throws when it cannot be written to.
 */
export const makeFolder = (folder: string): void => {
  try {
    make(folder)
    // A file is no folder.
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException
    throw new DataFolderUnusable({ folder, reason: REASONS[code] ?? message })
  }
}
