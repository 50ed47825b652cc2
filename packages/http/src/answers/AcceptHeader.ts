/** Ranges of a header that are looked at. A header of thousands would take milliseconds. */
const RANGES_MAX = 64

/** Whether an Accept header prefers HTML to JSON, as browsers do. JSON is the default. */
export const prefersHtml = (accept = ""): boolean => {
  const qualities = new Map<string, number>()
  for (const range of accept.toLowerCase().split(",", RANGES_MAX)) {
    const quality = Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1)
    qualities.set(range.split(";", 1)[0]!.trim(), quality)
  }
  const qualityOf = (type: string, group: string) =>
    qualities.get(type) ?? qualities.get(group) ?? qualities.get("*/*") ?? 0
  return qualityOf("text/html", "text/*") > qualityOf("application/json", "application/*")
}
