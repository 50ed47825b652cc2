import { clonePrograms as readPrograms } from "@launch-registry/chain/localnet/ClonePrograms"
import { programsMissing } from "@launch-registry/chain/localnet/MissingPrograms"
import {
  CLONED_PROGRAMS,
  type LoadedPrograms,
  type ProgramUnreadable,
  saveProgram,
} from "@launch-registry/chain/localnet/ProgramFiles"
import { Effect, type Redacted } from "effect"

/** Some megabytes, in the background of a start. */
const TIMEOUT = "20 seconds"

/**
 * Clones the programs that the local chain lacks into `folder`, and loads each as soon as it is there. What fails is said in one line, and
 * tried again at the next start.
 */
export const clonePrograms = (programs: LoadedPrograms, url: Redacted.Redacted, folder: string) => {
  // Only what can be executed is stored: the next start loads it.
  const keep = (file: string, elf: Buffer) =>
    Effect.try({
      try: () => {
        programs.load(file, elf, `the endpoint's answer for ${file}`)
        saveProgram(folder, file, elf)
      },
      catch: (error) => error as ProgramUnreadable | NodeJS.ErrnoException,
    })
  const wanted = CLONED_PROGRAMS.filter(([, program]) => !programs.has(program))
  return readPrograms(url, wanted, { keep, timeout: TIMEOUT }).pipe(
    Effect.matchEffect({
      onSuccess: (files) =>
        Effect.logInfo(`The local chain executes launches: cloned ${files.map(({ file }) => file).join(", ")}`),
      onFailure: ({ message }) =>
        Effect.logWarning(
          programs.missing.length === 0
            ? `Programs were cloned but not stored: ${message}`
            : `Programs were not cloned (${message}): ${programsMissing(programs.missing)}`,
        ),
    }),
  )
}
