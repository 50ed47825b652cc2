/** The newest answers that have an ETag, so that one which has not changed is not sent again. */
export interface Answers {
  readonly find: (url: string) => { readonly etag: string; readonly answer: unknown } | undefined
  readonly store: (url: string, etag: string | null, answer: unknown) => void
}

/** Holds at most `most` answers; the one that was used longest ago goes first. */
export const answers = (most: number): Answers => {
  const byUrl = new Map<string, { readonly etag: string; readonly answer: unknown }>()
  const store = (url: string, etag: string | null, answer: unknown) => {
    byUrl.delete(url)
    if (etag === null || most < 1) return
    byUrl.set(url, { answer, etag })
    if (byUrl.size > most) byUrl.delete(byUrl.keys().next().value!)
  }
  return {
    store,
    find: (url) => {
      const found = byUrl.get(url)
      if (found !== undefined) store(url, found.etag, found.answer)
      return found
    },
  }
}
