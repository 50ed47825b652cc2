import type { Random } from "../Random.ts"

/** Values remembered per name. */
const NAMED_MAX = 16
const TEXT_MAX = 300

/**
 * Values from earlier answers, by field name: used by requests for things that exist, or existed. Values
 * of the same subject (a tag of the document) come before those of others.
 */
export class KnownValues {
  readonly #bySubject = new Map<string, Array<unknown>>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  learn(subject: string, value: unknown): void {
    if (Array.isArray(value)) {
      for (const element of value.slice(0, NAMED_MAX)) this.learn(subject, element)
      return
    }
    if (typeof value !== "object" || value === null) return
    for (const [field, inner] of Object.entries(value)) {
      // `nextCursor` of an answer is sent as `cursor`.
      const name = field === "nextCursor" ? "cursor" : field
      if (typeof inner === "string" && inner.length <= TEXT_MAX) {
        this.#add(`${subject} ${name}`, inner)
        this.#add(` ${name}`, inner)
        if (/^\w{32,44}$/.test(inner)) this.#add(`${subject} address`, inner)
      } else if (typeof inner === "object" && inner !== null) {
        if (!Array.isArray(inner)) this.#add(` ${name}`, inner)
        this.learn(subject, inner)
      }
    }
  }

  /** A value of that name, of the subject if possible. */
  find(subject: string, name: string): unknown {
    const found = this.#bySubject.get(`${subject} ${name}`) ?? this.#bySubject.get(` ${name}`)
    return found?.[this.#random(found.length)]
  }

  #add(key: string, value: unknown): void {
    const known = this.#bySubject.get(key) ?? []
    this.#bySubject.set(key, known)
    if (known.includes(value)) return
    if (known.length < NAMED_MAX) known.push(value)
    // The older half stays: values from the start of a run are used to its end.
    else known[NAMED_MAX / 2 + this.#random(NAMED_MAX / 2)] = value
  }
}
