/** Ranges of a header, and parts of a range, that are looked at. A header of thousands would take milliseconds. */
const [RANGES_MAX, PARTS_MAX] = [64, 16]

/** One media range of an Accept header. */
interface MediaRange {
  /** Lower case. */
  readonly type: string
  readonly params: ReadonlyMap<string, string>
  readonly quality: number
}

const mediaRangeOf = (text: string): MediaRange => {
  const [type = "", ...rest] = text.split(";", PARTS_MAX).map((part) => part.trim())
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
    .split(",", RANGES_MAX)
    .filter((text) => text.trim() !== "")
    .map(mediaRangeOf)

/** Quality of the first of `names` that a header lists, from 0 to 1; undefined if it lists none. */
const qualityOf = (ranges: ReadonlyArray<MediaRange>, names: ReadonlyArray<string>): number | undefined => {
  for (const name of names) {
    const named = ranges.filter(({ type }) => type === name)
    if (named.length > 0) return Math.max(...named.map(({ quality }) => quality))
  }
  return undefined
}

/** Whether an Accept header prefers HTML to JSON, as browsers do. JSON is the default. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const ranges = rangesOf(accept ?? "")
  const html = qualityOf(ranges, ["text/html", "text/*", "*/*"]) ?? 0
  return html > (qualityOf(ranges, ["application/json", "application/*", "*/*"]) ?? 0)
}

/** The coding that an Accept-Encoding header prefers, of `offered` in order of preference; undefined for none. */
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
