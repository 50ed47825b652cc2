/** A text within HTML, XML or SVG, also in an attribute: the letters that would end it, as references. */
export const markupText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
