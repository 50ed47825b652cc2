import type { Random } from "../Random.ts"

/** Values remembered of one name. */
const NAMED_MAX = 16
const TEXT_MAX = 300

/**
 * What the service has answered so far, by the name of the field: requests that ask for what is there, and for what was. Values
 * of one subject (a tag of the document) come before those of others.
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
      // What is answered as `nextCursor` is asked with as `cursor`.
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

  /** A value of that name, of the subject if there is one. */
  find(subject: string, name: string): unknown {
    const found = this.#bySubject.get(`${subject} ${name}`) ?? this.#bySubject.get(` ${name}`)
    return found?.[this.#random(found.length)]
  }

  #add(key: string, value: unknown): void {
    const known = this.#bySubject.get(key) ?? []
    this.#bySubject.set(key, known)
    if (known.includes(value)) return
    if (known.length < NAMED_MAX) known.push(value)
    // The older half stays: what a run began with is asked for to its end.
    else known[NAMED_MAX / 2 + this.#random(NAMED_MAX / 2)] = value
  }
}
