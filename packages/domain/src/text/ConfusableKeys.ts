import { skeleton } from "./Skeleton.ts"

/** UTF-16 units of a text that are compared: the longest name that is shown. */
const TEXT_MAX = 128
/** Of a key: it is a column of an index. */
const KEY_MAX = 128

/** An accent on a Latin letter or a digit. Vowel signs of other scripts stay. */
const ACCENTED = /([a-z0-9])\p{Mn}+/gu
/** What stands between or beside words: punctuation, spaces, currency signs, modifiers, controls. */
const BETWEEN = /[\p{P}\p{Z}\p{Sc}\p{Sk}\p{C}]/gu

/**
 * Without accents and what stands between words; the text itself where nothing else is left. A capital i is an l, and a capital i
 * is an i: so an i is an l.
 */
const bare = (text: string): string => {
  const folded = text.toLowerCase().replaceAll(ACCENTED, "$1").replaceAll("i", "l")
  return (folded.replaceAll(BETWEEN, "") || folded).slice(0, KEY_MAX).toWellFormed().replaceAll("\0", "")
}

/**
 * What a label is compared by: two labels are confusable if they share a key. One key is the skeleton of its lower case, in which
 * `ПРИВЕТ` is `привет`; the other that of the lower case of its skeleton, in which a capital of one script is the small letter of
 * another. At most two keys of at most 128 units; none for a text of white space.
 */
export const confusableKeys = (text: string): ReadonlyArray<string> => {
  const shown = text.slice(0, TEXT_MAX)
  const keys = [shown.normalize("NFKC"), skeleton(shown)].map((one) => bare(skeleton(one.toLowerCase())))
  return [...new Set(keys)].filter((key) => key.trim() !== "")
}
