/** One media range of an Accept header. */
export interface MediaRange {
  /** In lower case. */
  readonly type: string
  readonly params: ReadonlyMap<string, string>
  readonly quality: number
}

const mediaRangeOf = (text: string): MediaRange => {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim())
  const params = new Map<string, string>()
  for (const part of rest) {
    const [name = "", value = ""] = part.split("=", 2)
    params.set(
      name.trim().toLowerCase(),
      value
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .toLowerCase(),
    )
  }
  const quality = Number(params.get("q") ?? 1)
  return { type: type.toLowerCase(), params, quality: quality >= 0 && quality <= 1 ? quality : 1 }
}

/** What an Accept header lists, without what it excludes (`q=0`), the most wanted first and otherwise as it stands there. */
export const mediaRangesOf = (accept: string): ReadonlyArray<MediaRange> =>
  accept
    .split(",")
    .filter((text) => text.trim() !== "")
    .map(mediaRangeOf)
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
