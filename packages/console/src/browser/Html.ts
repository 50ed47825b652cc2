import htm from "htm"
import { type ComponentChildren, h, type VNode } from "preact"

/** What a component renders. */
export type View = ComponentChildren

/** Markup as a tagged template. */
export const html: (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) => VNode | ReadonlyArray<VNode> =
  htm.bind<VNode>(h as never)
