/** Links as people write them: a handle, a domain without `https://`, or a whole URL. */
import type { LinkKind } from "./Draft.ts"

const HOSTS: Readonly<Record<LinkKind, string | undefined>> = { website: undefined, twitter: "x.com", telegram: "t.me" }
const HANDLE = /^@?(\w{1,64})$/
const DOMAIN = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]\S*)?$/u

/** The URL that is meant; what is none stays as it is, and the registry says what is wrong with it. */
export const linkOf = (kind: LinkKind, text: string): string => {
  const written = text.trim()
  const host = HOSTS[kind]
  const handle = host === undefined ? undefined : HANDLE.exec(written)?.[1]
  if (handle !== undefined) return `https://${host}/${handle}`
  return DOMAIN.test(written) ? `https://${written}` : written
}
