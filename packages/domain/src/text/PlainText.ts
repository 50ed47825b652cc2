import { Schema } from "effect"

/**
 * Characters that hide text or make it look like another: bidirectional controls, zero-width characters, soft hyphen,
 * byte order mark, and control characters.
 */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/

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
