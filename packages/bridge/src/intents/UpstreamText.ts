import { plain } from "@launch-registry/domain/text/PlainText"

/**
 * A text of the swap service as it may be stored and shown: one line without control and deceptive characters, at most so
 * many UTF-16 units long, and without halves of surrogate pairs, which PostgreSQL takes no more than NUL.
 */
export const upstreamText = (text: string, lengthMax: number): string => plain(text, lengthMax).toWellFormed()
