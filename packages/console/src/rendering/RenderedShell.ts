import { renderToString } from "preact-render-to-string"
import { h } from "preact"
import type { FirstList } from "../browser/board/FirstList.ts"
import { Shell } from "../browser/Shell.ts"
import type { renderShell as RenderShell } from "../RenderShell.ts"

/** The header and the board, as a browser draws them before anything has happened. */
export const renderShell: typeof RenderShell = (list: FirstList | undefined): string =>
  renderToString(h(Shell, { place: () => [], screenOf: () => null, opened: { list } }))
