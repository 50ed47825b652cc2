import { Schema } from "effect"
import { BLANK } from "./BlankCharacters.ts"

/** What a text has that hides or disguises it. */
export const UnsafeTextKind = Schema.Literals([
  "bidi_control",
  "zero_width",
  "control",
  "invisible",
  "stacked_marks",
  "mixed_scripts",
]).annotate({
  identifier: "UnsafeTextKind",
  description:
    "bidi_control: marks, embeddings, overrides or isolates that change the direction of text. zero_width: spaces, joiners or a byte order mark without width. control: control characters. invisible: other characters that are not shown, or are shown as nothing, such as fillers, tags, soft hyphens and braille patterns without dots. stacked_marks: more than three combining marks on one character. mixed_scripts: Latin letters beside Cyrillic, Greek, Armenian, Cherokee, Coptic or Lisu ones",
})
export type UnsafeTextKind = typeof UnsafeTextKind.Type

const LOOKALIKES = ["Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Lisu"]

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const ZERO_WIDTH = /[\u180e\u200b-\u200d\u2060\ufeff]/g
/** How an emoji is shown: after it, or within a keycap. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)/gu
const LOOKALIKE = new RegExp(`[${LOOKALIKES.map((name) => `\\p{Script=${name}}`).join("")}]`, "u")

const has = (text: string, sign: RegExp): boolean => text.search(sign) !== -1

const SIGNS: Readonly<Record<UnsafeTextKind, (text: string) => boolean>> = {
  bidi_control: (text) => has(text, BIDI),
  zero_width: (text) => has(text, ZERO_WIDTH),
  control: (text) => has(text, /\p{Cc}/u),
  invisible: (text) =>
    has(
      text.replaceAll(BIDI, "").replaceAll(ZERO_WIDTH, "").replaceAll(EMOJI_STYLE, ""),
      /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u,
    ) || has(text, BLANK),
  stacked_marks: (text) => has(text, /\p{M}{4}/u),
  mixed_scripts: (text) => has(text, /\p{Script=Latin}/u) && has(text, LOOKALIKE),
}

/** What a text has that hides or disguises it. */
export const unsafeKinds = (text: string): ReadonlyArray<UnsafeTextKind> =>
  UnsafeTextKind.literals.filter((kind) => SIGNS[kind](text))
