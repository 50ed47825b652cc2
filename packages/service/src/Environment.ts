import { readFileSync } from "node:fs"

/**
 * The environment, with `<NAME>_FILE` of known settings read from files, as container platforms provide secrets. An
 * unreadable file is a fault of its variable.
 */
export const readEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  names: ReadonlyArray<string>,
): { readonly values: Record<string, string>; readonly faults: ReadonlyArray<string> } => {
  const values: Record<string, string> = {}
  const faults: Array<string> = []
  for (const name of names) {
    const value = environment[name]
    const file = environment[`${name}_FILE`]
    if (value !== undefined && value !== "" && file !== undefined && file !== "") {
      faults.push(`${name}: expected either ${name} or ${name}_FILE, not both`)
    } else if (file !== undefined && file !== "") {
      try {
        values[name] = readFileSync(file, "utf8").trim()
      } catch {
        faults.push(`${name}_FILE: expected a readable file`)
      }
    } else if (value !== undefined && value !== "") values[name] = value
  }
  return { values, faults }
}
