import { plain } from "@launch-registry/domain/text/PlainText"

/**
 * A text of the swap service made safe to store and show: one line without control or deceptive characters, of bounded
 * length in UTF-16 units. Lone surrogates and NUL are removed, because PostgreSQL rejects both.
 */
export const upstreamText = (text: string, lengthMax: number): string => plain(text, lengthMax).toWellFormed()
