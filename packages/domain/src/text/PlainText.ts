import { Schema } from "effect"
import { hasHidden, hasHiddenInLines, isSeen, withoutHidden } from "./HiddenText.ts"

/** `text` made safe for a label: no hidden characters, trimmed, at most `maxLength`, nothing cut within a character. */
export const plain = (text: string, maxLength: number): string =>
  withoutHidden(withoutHidden(text).trim().slice(0, maxLength)).trim()

/** A label (name, symbol, tag): one line, trimmed, no hidden characters, and something to be seen. */
export const label = (options: { readonly minLength?: number; readonly maxLength: number }) =>
  Schema.String.check(
    Schema.isBetweenLength(options.minLength ?? 1, options.maxLength),
    Schema.makeFilter((text: string) => text.trim() === text || "expected no white space at either end"),
    Schema.makeFilter(
      (text: string) =>
        !hasHidden(text) ||
        "expected no characters that are not shown: control, zero-width, bidirectional, tag, filler, unassigned, private use",
    ),
    Schema.makeFilter((text: string) => text === "" || isSeen(text) || "expected more than spaces and combining marks"),
  )

/** A text of several lines (a description), at most `maxLength` long. */
export const paragraphs = (options: { readonly maxLength: number }) =>
  Schema.String.check(
    Schema.isMaxLength(options.maxLength),
    Schema.makeFilter(
      (text: string) =>
        !hasHiddenInLines(text) ||
        "expected no control, zero-width, bidirectional, tag, filler, unassigned or private use characters but tabs and line ends",
    ),
  )
