import { useEffect, useState } from "preact/hooks"
import { every } from "./Every.ts"

/** What was read last: again after each pause of `millis`, and when one of `inputs` changes; undefined before the first. */
export const usePolled = <A>(
  millis: number,
  read: (signal: AbortSignal) => Promise<A>,
  inputs: ReadonlyArray<unknown>,
): A | undefined => {
  const [reading, setReading] = useState<A>()
  useEffect(
    () =>
      every(millis, async (signal) => {
        const got = await read(signal)
        if (!signal.aborted) setReading(() => got)
      }),
    inputs,
  )
  return reading
}
