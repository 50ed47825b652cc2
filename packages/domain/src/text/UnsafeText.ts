import { Schema } from "effect"
import { BLANK } from "./BlankCharacters.ts"
import { withoutMeant } from "./HiddenText.ts"

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
    "bidi_control: marks, embeddings, overrides or isolates that change the direction of text. zero_width: spaces or a byte order mark without width, or joiners where neither an emoji nor a script needs them. control: control characters. invisible: other characters that are not shown, or are shown as nothing, such as fillers, tags and soft hyphens. stacked_marks: more than three combining marks on one character. mixed_scripts: Latin letters beside Cyrillic, Greek, Armenian, Cherokee, Coptic or Lisu ones",
})
export type UnsafeTextKind = typeof UnsafeTextKind.Type

const LOOKALIKES = ["Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Lisu"]

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const ZERO_WIDTH = /[\u180e\u200b-\u200d\u2060\ufeff]/g
const LOOKALIKE = new RegExp(`[${LOOKALIKES.map((name) => `\\p{Script=${name}}`).join("")}]`, "u")

const has = (text: string, sign: RegExp): boolean => text.search(sign) !== -1

const SIGNS: Readonly<Record<UnsafeTextKind, (text: string) => boolean>> = {
  bidi_control: (text) => has(text, BIDI),
  zero_width: (text) => has(withoutMeant(text), ZERO_WIDTH),
  control: (text) => has(text, /\p{Cc}/u),
  invisible: (text) =>
    has(
      withoutMeant(text).replaceAll(BIDI, "").replaceAll(ZERO_WIDTH, ""),
      /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u,
    ) || has(text, BLANK),
  stacked_marks: (text) => has(text, /\p{M}{4}/u),
  mixed_scripts: (text) => has(text, /\p{Script=Latin}/u) && has(text, LOOKALIKE),
}

/** What a text has that hides or disguises it. */
export const unsafeKinds = (text: string): ReadonlyArray<UnsafeTextKind> =>
  UnsafeTextKind.literals.filter((kind) => SIGNS[kind](text))
