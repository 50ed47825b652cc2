import { BLANK } from "./BlankCharacters.ts"
import { PLAIN_LETTERS } from "./PlainLetters.ts"
import { skeleton } from "./Skeleton.ts"

/** UTF-16 units of a text that are compared: the longest name that is shown. */
const TEXT_MAX = 128
/** Of a key: it is a column of an index. */
const KEY_MAX = 128

/** An accent on a Latin letter or a digit, and what encloses them. Vowel signs of other scripts stay. */
const ACCENTED = /([a-z0-9])[\p{Mn}\p{Me}]+/gu
/** What stands between or beside words, and accents on it or on nothing: punctuation, spaces, currency signs, modifiers, controls. */
const BETWEEN = /(?:^\p{M}|[\p{P}\p{Z}\p{Sc}\p{Sk}\p{C}])\p{M}*/gu
/** Signs that say something of a name and are no part of it: registered, copyright, sound recording, trade and service mark. */
const NAME_SIGNS = /[\u00a9\u00ae\u2117\u2120\u2122]/gu

/**
 * Without accents and what stands between words; the text itself where nothing else is left. A capital i is an l, and a capital i
 * is an i: so an i is an l.
 */
const bare = (text: string): string => {
  const folded = plainLetters(text.toLowerCase()).replaceAll(ACCENTED, "$1").replaceAll("i", "l")
  return (folded.replaceAll(BETWEEN, "") || folded).slice(0, KEY_MAX).toWellFormed().replaceAll("\0", "")
}

const plainLetters = (text: string): string => {
  let out = ""
  for (const character of text) out += PLAIN_LETTERS.get(character) ?? character
  return out
}

/**
 * What a label is compared by: two labels are confusable if they share a key. One key is the skeleton of its lower case, in which
 * `ПРИВЕТ` is `привет`; the other that of the lower case of its skeleton, in which a capital of one script is the small letter of
 * another. At most two keys of at most 128 units; none for a text of white space.
 */
export const confusableKeys = (text: string): ReadonlyArray<string> => {
  const shown = text.slice(0, TEXT_MAX).replaceAll(BLANK, " ")
  const named = shown.replaceAll(NAME_SIGNS, "") || shown
  const keys = [named.normalize("NFKC"), skeleton(named)].map((one) => bare(skeleton(one.toLowerCase())))
  return [...new Set(keys)].filter((key) => key.trim() !== "")
}
