import { Schema } from "effect"

/**
 * Characters that make one text look like another or hide part of it: bidirectional controls, zero-width characters,
 * soft hyphen, byte order mark. Control characters below U+0020 are refused with them.
 */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/

/** The first half of a character of two UTF-16 units: PostgreSQL has no text that ends with one. */
const CUT_CHARACTER = /[\ud800-\udbff]$/

/** `text` as a label may show it: without deceptive characters, trimmed, at most so long, of whole characters. */
export const plain = (text: string, maxLength: number): string =>
  text.replaceAll(new RegExp(DECEPTIVE, "g"), "").trim().slice(0, maxLength).replace(CUT_CHARACTER, "").trim()

/** A label that is shown beside others (a name, a symbol, a tag): one line, trimmed, without deceptive characters. */
export const label = (options: { readonly minLength?: number; readonly maxLength: number }) =>
  Schema.String.check(
    Schema.isBetweenLength(options.minLength ?? 1, options.maxLength),
    Schema.makeFilter((text: string) => text.trim() === text || "expected no white space at either end"),
    Schema.makeFilter(
      (text: string) => !DECEPTIVE.test(text) || "expected no control, zero-width or bidirectional characters",
    ),
  )
