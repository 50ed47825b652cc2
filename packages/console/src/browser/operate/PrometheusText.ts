/** A sample of Prometheus' text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g
const ESCAPED: Readonly<Record<string, string>> = { "\\n": "\n", '\\"': '"', "\\\\": "\\" }

const numberOf = (text: string): number => (text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text))

/** The samples whose names begin with `prefix`; lines that are none are left out. */
export const samplesOf = (text: string, prefix: string): ReadonlyArray<Sample> => {
  const samples: Array<Sample> = []
  for (const line of text.split("\n")) {
    if (!line.startsWith(prefix)) continue
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const read: Record<string, string> = {}
    for (const [, key = "", escaped = ""] of labels.matchAll(LABEL))
      read[key] = escaped.replaceAll(/\\./g, (pair) => ESCAPED[pair] ?? pair)
    samples.push({ name, labels: read, value: numberOf(value) })
  }
  return samples
}
