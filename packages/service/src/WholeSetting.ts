/** Reports what is wrong with a setting, as name and expectation. */
export type Fault = (name: string, expected: string) => void

/** Reads settings that are whole numbers; undefined if one is absent or invalid, which is reported. */
export const wholeSettings =
  (values: Readonly<Record<string, string | undefined>>, fault: Fault) =>
  (name: string, unit: string, min: number, max: number): number | undefined => {
    const text = values[name]
    if (text === undefined) return undefined
    const value = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    fault(name, `a whole number of ${unit} from ${min} to ${max}`)
    return undefined
  }
