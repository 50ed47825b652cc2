import { plain } from "@launch-registry/domain/text/PlainText"

/** Code points. */
const LENGTH_MAX = 128
const EXTENSION_LENGTH_MAX = 16

/** Slashes, backslashes and their lookalikes. */
const SEPARATOR = /[/\\\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/u

/** Invisible characters (besides those that {@link plain} removes) and those that Windows forbids in names. */
const UNWANTED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}<>:"|?*]/gu

/** Device names of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?=\.|$)/i

const trimmed = (name: string): string => name.replace(/^[.\s]+/, "").replace(/[.\s]+$/, "")

/**
 * A safe file name to show and to save under: the last part of a path, on one line, without invisible characters, at most
 * {@link LENGTH_MAX} long with its extension; `undefined` if nothing is left. Never used as a path here.
 */
export const cleanFileName = (name: string): string | undefined => {
  const visible = plain(name.replace(UNWANTED, ""), Infinity).normalize("NFC").replace(/\s+/g, " ")
  const last = trimmed(visible.split(SEPARATOR).findLast((part) => trimmed(part) !== "") ?? "")
  const cleaned = shortened(last.replace(DEVICE, "_$&"))
  return cleaned === "" ? undefined : cleaned
}

const shortened = (name: string): string => {
  const characters = Array.from(name)
  if (characters.length <= LENGTH_MAX) return name
  const dot = characters.lastIndexOf(".")
  const extension = dot > 0 && characters.length - dot <= EXTENSION_LENGTH_MAX ? characters.slice(dot) : []
  return trimmed(characters.slice(0, LENGTH_MAX - extension.length).join("")) + extension.join("")
}
