import { MissingPrograms, programsMissing } from "@launch-registry/chain/localnet/MissingPrograms"
import { Effect } from "effect"

/** Adds the next step to what a builder answers: `data.message` and the top-level `message` carry the same text. */
export const withNextStep = Effect.map(MissingPrograms, (missing) => <A extends object>(data: A, words: string) => {
  const missingPrograms = missing()
  if (missingPrograms.length === 0) return { data: { ...data, message: words }, message: words }
  const message = `${words}. It cannot land yet: ${programsMissing(missingPrograms)}`
  return { data: { ...data, message, missingPrograms }, message }
})
