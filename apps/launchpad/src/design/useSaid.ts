import { useState } from "react"

const SAID_MILLIS = 1_500

/** What was done, said for a moment. */
export const useSaid = <Words extends string>() => {
  const [said, setSaid] = useState<Words>()
  const say = (words: Words) => {
    setSaid(words)
    setTimeout(() => setSaid(undefined), SAID_MILLIS)
  }
  return [said, say] as const
}
