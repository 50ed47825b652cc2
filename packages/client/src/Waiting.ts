/** Milliseconds before another attempt: from a quarter of a second, doubled each time, with up to half of it at random left out. */
export const backoff = (attempt: number, most = 8_000): number =>
  Math.min(most, 250 * 2 ** attempt) * (1 - Math.random() / 2)

/** Milliseconds of a Retry-After header in seconds; undefined without one. */
export const retryAfter = ({ headers }: Response): number | undefined => {
  const value = headers.get("retry-after")
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : undefined
}

/** Resolves after so many milliseconds; rejects with the reason of the signal when it is aborted. */
export const sleep = (millis: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave)
      resolve()
    }, millis)
    if (signal?.aborted === true) leave()
    else signal?.addEventListener("abort", leave, { once: true })
  })
