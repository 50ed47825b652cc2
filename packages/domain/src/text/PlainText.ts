import { Schema } from "effect"

/**
 * Characters that hide text or make it look like another: bidirectional controls, zero-width characters, soft hyphen,
 * byte order mark, and control characters.
 */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/

/**
 * Of these, what no text of several lines needs: it has tabs and line ends, emoji have joiners, some scripts non-joiners, soft hyphens and
 * marks of direction.
 */
const DECEPTIVE_IN_LINES =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u180e\u200b\u202a-\u202e\u2060-\u2069\ufeff]/

/** A lone high surrogate at the end: PostgreSQL cannot store it. */
const CUT_CHARACTER = /[\ud800-\udbff]$/

/** `text` made safe for a label: no deceptive characters, trimmed, at most `maxLength`, no half surrogate pair. */
export const plain = (text: string, maxLength: number): string =>
  text.replaceAll(new RegExp(DECEPTIVE, "g"), "").trim().slice(0, maxLength).replace(CUT_CHARACTER, "").trim()

/** A label (name, symbol, tag): one line, trimmed, no deceptive characters. */
export const label = (options: { readonly minLength?: number; readonly maxLength: number }) =>
  Schema.String.check(
    Schema.isBetweenLength(options.minLength ?? 1, options.maxLength),
    Schema.makeFilter((text: string) => text.trim() === text || "expected no white space at either end"),
    Schema.makeFilter(
      (text: string) => !DECEPTIVE.test(text) || "expected no control, zero-width or bidirectional characters",
    ),
  )

/** A text of several lines (a description), at most `maxLength` long. */
export const paragraphs = (options: { readonly maxLength: number }) =>
  Schema.String.check(
    Schema.isMaxLength(options.maxLength),
    Schema.makeFilter(
      (text: string) =>
        !DECEPTIVE_IN_LINES.test(text) ||
        "expected no control, zero-width or bidirectional characters but tabs and line ends",
    ),
  )
