/** Repeats a round until it is stopped; the pause begins when the round has ended. */
export const every = (millis: number, round: (signal: AbortSignal) => Promise<void>): (() => void) => {
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const go = async (): Promise<void> => {
    await round(ended.signal)
    if (!ended.signal.aborted) timer = setTimeout(() => void go(), millis)
  }
  void go()
  return () => {
    clearTimeout(timer)
    ended.abort()
  }
}
