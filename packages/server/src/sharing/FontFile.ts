import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

export const FONT = "Inter SemiBold"
export const FONT_FILE = "Inter_600SemiBold.ttf"

/** Beside a bundle, or in its package: images of containers have no fonts. Those of the system have the letters that it lacks. */
export const fontFile = (folder: string = import.meta.dirname): string => {
  const file = join(folder, FONT_FILE)
  if (existsSync(file)) return file
  if (folder !== dirname(folder)) return fontFile(dirname(folder))
  return createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/600SemiBold/${FONT_FILE}`)
}
