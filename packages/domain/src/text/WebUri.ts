import { Context, Effect, Schema, SchemaGetter } from "effect"
import { isPlainlyWritten } from "./PlainlyWritten.ts"

const LENGTH_MAX = 2048

/** Whether links may be http URLs of this machine: in local mode, where the gateway of uploads is one. */
export const LoopbackLinks = Context.Reference<boolean>("@launch-registry/domain/text/WebUri/LoopbackLinks", {
  defaultValue: () => false,
})

/** Whether `host`, as a URL has it, is this machine (RFC 6761, section 6.3: also all names below localhost). */
export const isLoopbackHost = (host: string): boolean =>
  /^(.+\.)?localhost$/.test(host) || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)

/**
 * Whether `text` is an absolute https or ipfs URI that leads where it says, without credentials. With `takesLoopback` also an http
 * URI of loopback.
 */
export const isWebUri = (text: string, takesLoopback: boolean): boolean => {
  if (text.length > LENGTH_MAX || !isPlainlyWritten(text)) return false
  if (text.startsWith("ipfs://")) return /^ipfs:\/\/[A-Za-z0-9]+(\/|$)/.test(text)
  const { hostname, protocol } = new URL(text)
  return protocol === "https:" || (takesLoopback && protocol === "http:" && isLoopbackHost(hostname))
}

const EXPECTED =
  "expected an https:// or ipfs:// URI without credentials, backslashes, dot segments or characters that are not shown, its host in ASCII"

/** A link to display: https or ipfs. The service fetches it only from the chain, as the URI of a launch. Or the empty string, which forms send for an absent link. */
export const OptionalWebUri = Schema.String.check(Schema.isMaxLength(LENGTH_MAX)).pipe(
  Schema.decode({
    decode: SchemaGetter.checkEffect((text: string) =>
      Effect.map(LoopbackLinks, (takesLoopback) => text === "" || isWebUri(text, takesLoopback) || EXPECTED),
    ),
    encode: SchemaGetter.passthrough(),
  }),
)
