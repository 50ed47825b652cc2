import { useEffect, useState } from "preact/hooks"
import { type Failure, failureOf } from "../Failure.ts"

/** What a part of the screen shows of a read: what was read last stays when a later one fails. */
export interface Reading<A> {
  readonly data: A | undefined
  readonly failure: Failure | undefined
  readonly readAt: number | undefined
  readonly again: () => void
}

/**
 * Reads at once, every `everyMillis`, and when asked. `key` names what is read: with another one nothing is shown until it is
 * read.
 */
export const useReading = <A>(
  key: string,
  read: (signal: AbortSignal) => Promise<A>,
  everyMillis: number,
): Reading<A> => {
  const [shown, setShown] = useState<Omit<Reading<A>, "again"> & { readonly key: string }>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const ended = new AbortController()
    const once = async (): Promise<void> => {
      try {
        const data = await read(ended.signal)
        if (!ended.signal.aborted) setShown({ key, data, failure: undefined, readAt: Date.now() })
      } catch (error) {
        if (ended.signal.aborted) return
        const failure = failureOf(error)
        setShown((before) =>
          before?.key === key ? { ...before, failure } : { key, data: undefined, failure, readAt: undefined },
        )
      }
    }
    void once()
    const timer = setInterval(() => void once(), everyMillis)
    return () => {
      ended.abort()
      clearInterval(timer)
    }
  }, [key, attempt, everyMillis])
  const again = (): void => setAttempt((before) => before + 1)
  if (shown?.key === key) return { ...shown, again }
  return { data: undefined, failure: undefined, readAt: undefined, again }
}
