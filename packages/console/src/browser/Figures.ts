import { html, type View } from "./Html.ts"

/** What is not known. */
export const dash: View = html`<span role="img" aria-label="not known">–</span>`

/** A figure with its name. */
export const Figure = ({ children, name }: { readonly name: string; readonly children?: View }): View =>
  html`<div>
    <dt>${name}</dt>
    <dd>${children}</dd>
  </div>`

/** A decimal string, shortened by `format` and exact on hover. */
export const exact = (text: string | null | undefined, unit: string, format: (text: string) => string): View =>
  text === null || text === undefined
    ? dash
    : html`<span title=${`${text} ${unit}`.trim()}
        >${format(text)}${unit === "" ? null : html` <small>${unit}</small>`}</span
      >`
