import { plain } from "@launch-registry/domain/text/PlainText"

const MESSAGES_MAX = 10
const LENGTH_MAX = 300

/**
 * Where one message of a class-validator ends and the next begins in a text joined by commas: before the name of
 * a property that must or should something. Other texts hold commas themselves ("too low, try at least", "$1,000").
 */
const BOUNDARY = /,\s*(?=(?:each value in )?(?:property )?[A-Za-z][\w.]* (?:must|should)\b)/

/** The messages of a refusal, safe to show: one line each, no deceptive characters, bounded length. */
export const refusalTexts = (message: string | ReadonlyArray<string>): ReadonlyArray<string> => {
  const texts = typeof message === "string" ? [message] : message
  return texts
    .slice(0, MESSAGES_MAX)
    .flatMap((text) => text.slice(0, MESSAGES_MAX * LENGTH_MAX).split(BOUNDARY))
    .map((text) => plain(text.replaceAll(/\s+/g, " "), LENGTH_MAX))
    .filter((text) => text !== "")
    .slice(0, MESSAGES_MAX)
}
