import confusables from "./confusables.json" with { type: "json" }

/** Characters that are not shown: joiners, fillers, variation selectors, tags, soft hyphen. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu

const decode = (codePoints: string) =>
  codePoints.split(" ").map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)))

const readPrototypes = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [target, sources] of Object.entries(confusables.prototypes)) {
    const prototype = decode(target).join("")
    for (const source of decode(sources)) found.set(source, prototype)
  }
  // Some prototypes have a part with a prototype of its own (U+01C4: a caron, which looks like a breve).
  for (const [source, prototype] of found) found.set(source, mapped(prototype, found))
  return found
}

const mapped = (text: string, prototypes: ReadonlyMap<string, string>): string => {
  let out = ""
  for (const character of text.normalize("NFD").replaceAll(IGNORED, "")) out += prototypes.get(character) ?? character
  return out
}

let prototypes: ReadonlyMap<string, string> | undefined

/** Version of Unicode that the table of confusable characters is of. */
export const CONFUSABLES_VERSION = confusables.version

/**
 * The skeleton of a text (Unicode UTS #39, section 4, `internalSkeleton`): decomposed, without what is not shown, each character
 * replaced by the prototype that it looks like, decomposed. Two texts with one skeleton look alike. It is for comparison only,
 * and up to 18 times as long as the text.
 */
export const skeleton = (text: string): string => {
  prototypes ??= readPrototypes()
  return mapped(text, prototypes).normalize("NFD")
}
