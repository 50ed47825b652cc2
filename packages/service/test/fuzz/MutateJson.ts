import type { Random } from "../Random.ts"
import { HOSTILE_NAMES, HOSTILE_VALUES, nearTo, RAW } from "./HostileValues.ts"
import { oneOf } from "./SampleOf.ts"

type Container = Record<string, unknown> | Array<unknown>

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null

const containersIn = (value: unknown): ReadonlyArray<Container> =>
  isContainer(value) ? [value, ...Object.values(value).flatMap(containersIn)] : []

/** An own property, also with a name that has a meaning for objects. */
const define = (container: object, name: string, value: unknown): void => {
  Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Another value of the same type. */
const near = (random: Random, value: unknown): unknown => {
  if (typeof value === "number")
    return `${RAW}${oneOf(
      random,
      nearTo("0").filter((text) => /^-?(0|[1-9])/.test(text)),
    )}`
  if (typeof value === "boolean") return !value
  return typeof value === "string" ? oneOf(random, nearTo(value)) : oneOf(random, HOSTILE_VALUES)
}

/** The value with a change in one place: another value, an additional or missing name, or a copy in a list. */
export const mutated = (random: Random, original: unknown): unknown => {
  if (!isContainer(original) || random(20) === 0) return oneOf(random, HOSTILE_VALUES)
  const value = structuredClone(original)
  // As often at the top as at any depth.
  const container = random(2) === 0 ? (value as Container) : oneOf(random, containersIn(value))
  const names = Object.keys(container)
  const how = random(10)
  if (names.length === 0 || how === 0) define(container, oneOf(random, HOSTILE_NAMES), oneOf(random, HOSTILE_VALUES))
  else {
    const name = oneOf(random, names)
    const index = name as keyof Container
    if (how === 1) delete container[index]
    else if (how === 2) define(container, name, [container[index], container[index]])
    else if (how === 3) define(container, `${name}${oneOf(random, ["x", " ", "\u0000", "", "_"])}`, container[index])
    else if (how < 8) define(container, name, near(random, container[index]))
    else define(container, name, oneOf(random, HOSTILE_VALUES))
  }
  return value
}

/** The value as JSON text, including numbers that no double can hold. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? "").replaceAll(new RegExp(`"${RAW}([^"]*)"`, "g"), "$1")

/** A text as a client may alter it: another of its kind; of a cursor, another inside. */
export const alteredText = (random: Random, text: string): string => {
  const inside = Buffer.from(text, "base64url").toString()
  if (text.length < 8 || !/^[ -~]+$/.test(inside)) return oneOf(random, nearTo(text))
  const parts = inside.split(/([.,:"])/)
  // The odd ones are the separators.
  const at = 2 * random(Math.ceil(parts.length / 2))
  parts[at] = /^\d$/.test(parts[at]!) ? String(random(10)) : oneOf(random, nearTo(parts[at]!))
  return Buffer.from(parts.join("")).toString("base64url")
}
