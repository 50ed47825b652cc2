import { BLANK } from "./BlankCharacters.ts"

/** How an emoji is shown: after it, or within a keycap. */
const STYLE = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)/v
/** What makes one emoji of several. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})/v
/** Between letters that would be joined otherwise: Persian, Urdu and others in Arabic letters. */
const NON_JOINER = /(?<=\p{Script=Arabic}\p{M}*)\u200c(?=\p{Script=Arabic})/v
/**
 * After heh, also at the end of a word. With the non-joiner it is how Kurdish e was written before it had a letter of its own; the
 * joiner keeps its first form where no letter follows, as in the abbreviation of Hijri. No other letter is written so.
 */
const HEH = /(?<=\u0647\p{M}*)(?:\u200c|\u200d(?!\p{Script=Arabic}))/v
/** Beside a sign of a script that has signs of its own, such as the virama of Devanagari: it chooses the shape of a conjunct. */
const SIGN = String.raw`[\p{M}--[\p{Script=Inherited}\p{Script=Common}]]`
const CONJUNCT = new RegExp(
  String.raw`(?<=${SIGN})[\u200c\u200d](?![\u200c\u200d])|(?<=\p{L})[\u200c\u200d](?=${SIGN})`,
  "v",
)
/** After a Mongolian letter: its shape. */
const MONGOLIAN_SHAPE = /(?<=[\p{Script=Mongolian}&&\p{L}])[\u180b-\u180f]/v
/** The flags of England, Scotland and Wales, whose tags are not shown. */
const TAGGED_FLAG = /\p{RGI_Emoji_Tag_Sequence}/v

/** Characters that are not shown, where a script or an emoji has them. */
const MEANT = [STYLE, EMOJI_JOINER, NON_JOINER, HEH, CONJUNCT, MONGOLIAN_SHAPE, TAGGED_FLAG]
  .map(({ source }) => source)
  .join("|")

/** Controls, formats, surrogates, private use, unassigned; separators of lines; what is not shown by default, such as fillers and tags. */
const UNSHOWN = String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`

const HIDDEN = new RegExp(`(${MEANT})|${UNSHOWN}|${BLANK.source}`, "gv")

const SHOWN = /[\p{L}\p{N}\p{P}\p{S}]/v

const ALL_MEANT = new RegExp(MEANT, "gv")

/** `text` without the characters that are not shown and that its script or its emoji need. */
export const withoutMeant = (text: string): string => text.replaceAll(ALL_MEANT, "")

/** `text` without characters that are not shown, but those that its script or its emoji need. */
export const withoutHidden = (text: string): string => text.replaceAll(HIDDEN, (_, meant?: string) => meant ?? "")

/** Whether a text has characters that are not shown, other than its script or its emoji need. */
export const hasHidden = (text: string): boolean => withoutHidden(text) !== text

/** Whether something of a text without hidden characters is to be seen: more than spaces and marks. */
export const isSeen = (text: string): boolean => SHOWN.test(text)

/** What a text of several lines has besides: tabs and line ends, joiners anywhere, soft hyphens, and marks of direction. */
const OF_LINES = String.raw`[\t\n\r\p{Zl}\p{Zp}\u00ad\u061c\u200c-\u200f]|(?<=[^\p{Default_Ignorable_Code_Point}\p{Z}\p{C}])\p{Variation_Selector}`

const HIDDEN_IN_LINES = new RegExp(`(${OF_LINES}|${TAGGED_FLAG.source})|${UNSHOWN}`, "gv")

/** The same for a text of several lines. */
export const hasHiddenInLines = (text: string): boolean =>
  text.replaceAll(HIDDEN_IN_LINES, (_, meant?: string) => meant ?? "") !== text
