const FILE_NAME_LENGTH_MAX = 128

/** A name to offer for saving: what follows the last separator, without controls, marks of direction and halves of characters. */
const cleanFileName = (name: string): string => {
  const last = name.split(/[\\/]/).at(-1) ?? ""
  const clean = last
    .replace(/[\p{C}<>:"|?*]/gu, "")
    .replace(/^\.+/, "")
    .trim()
  return Array.from(clean).slice(0, FILE_NAME_LENGTH_MAX).join("")
}

/** What `encodeURIComponent` leaves and RFC 8187 does not allow. */
const percentEncoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The value of Content-Disposition; characters beyond ASCII come in a form of their own, as old agents know only the first. */
export const contentDisposition = (kind: "inline" | "attachment", fileName: string | undefined): string => {
  const name = cleanFileName(fileName ?? "")
  if (name === "") return kind
  const ascii = name.replace(/[^\x20-\x7e]/gu, "_")
  const plain = `${kind}; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${percentEncoded(name)}`
}
