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

const rangesOf = (accept: string): ReadonlyArray<MediaRange> =>
  accept
    .split(",")
    .filter((text) => text.trim() !== "")
    .map(mediaRangeOf)

/** What an Accept header lists, without what it excludes (`q=0`), the most wanted first and otherwise as it stands there. */
export const mediaRangesOf = (accept: string): ReadonlyArray<MediaRange> =>
  rangesOf(accept)
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)

/** How much a header wants what the first of `names` that it lists names, from 0 to 1; undefined when it lists none of them. */
const qualityOf = (ranges: ReadonlyArray<MediaRange>, names: ReadonlyArray<string>): number | undefined => {
  for (const name of names) {
    const named = ranges.filter(({ type }) => type === name)
    if (named.length > 0) return Math.max(...named.map(({ quality }) => quality))
  }
  return undefined
}

/** Whether an Accept header wants a page rather than JSON, as browsers do. JSON is what everybody gets who does not mind. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const ranges = rangesOf(accept ?? "")
  const html = qualityOf(ranges, ["text/html", "text/*", "*/*"]) ?? 0
  return html > (qualityOf(ranges, ["application/json", "application/*", "*/*"]) ?? 0)
}

/** Of the codings on offer, the best first, the one that an Accept-Encoding header wants most; undefined for none of them. */
export const codingFor = <Coding extends string>(
  acceptEncoding: string | undefined,
  offered: ReadonlyArray<Coding>,
): Coding | undefined => {
  const ranges = rangesOf(acceptEncoding ?? "")
  const asIs = qualityOf(ranges, ["identity"]) ?? 0
  const wanted = offered
    .map((coding) => ({ coding, quality: qualityOf(ranges, [coding, "*"]) ?? 0 }))
    .filter(({ quality }) => quality > 0 && quality >= asIs)
    .sort((left, right) => right.quality - left.quality)
  return wanted[0]?.coding
}
