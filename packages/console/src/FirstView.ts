import type { Launch } from "@launch-registry/domain/launch/Launch"
import { renderShell } from "#render-shell"
import { rowOfLaunch } from "./browser/board/BoardState.ts"
import type { FirstList } from "./browser/board/FirstList.ts"
import { shownImage } from "./browser/board/ShownImage.ts"

/** JSON that can stand within HTML: it ends no element, and no line. */
const withinHtml = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

/** Without images of the page's own host, whose name only the browser knows: both have to draw the same. */
const listOf = (launches: ReadonlyArray<Launch>, readAt: number): FirstList => ({
  rows: launches.map(rowOfLaunch).map((row) => ({ ...row, imageUri: shownImage(row.imageUri, "") ?? null })),
  readAt,
})

/** What the page shows before its modules run, and the list that they continue with. */
export interface FirstView {
  readonly shell: string
  readonly list: string
}

/** The board with these launches as HTML, by the components that the browser draws it with; while it is being read, without any. */
export const firstView = (launches: ReadonlyArray<Launch> | undefined, readAt: number): FirstView => {
  const list = launches === undefined ? undefined : listOf(launches, readAt)
  return {
    shell: renderShell(list),
    list: list === undefined ? "" : `<script type="application/json" id="first-list">${withinHtml(list)}</script>`,
  }
}
