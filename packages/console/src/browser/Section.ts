import { html, type View } from "./Html.ts"

/** A part of a screen, under a heading by which screen readers name it. */
export const Section = ({
  children,
  id,
  name,
}: {
  readonly id: string
  readonly name: string
  readonly children?: View
}): View =>
  html`<section aria-labelledby=${id}>
    <h2 id=${id}>${name}</h2>
    ${children}
  </section>`
