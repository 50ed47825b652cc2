import { cleanFileName } from "../FileName.ts"

/** Encodes also what `encodeURIComponent` leaves and RFC 8187 does not allow. */
const percentEncoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The value of Content-Disposition: `filename*` carries what is not ASCII, `filename` is for agents that do not know it. */
export const contentDisposition = (kind: "inline" | "attachment", fileName: string | undefined): string => {
  const name = cleanFileName(fileName ?? "")
  if (name === undefined) return kind
  const ascii = name.replace(/[^\x20-\x7e]/gu, "_")
  const plain = `${kind}; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${percentEncoded(name)}`
}
