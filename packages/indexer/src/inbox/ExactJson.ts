/** Writes a number into JSON with exactly these digits (ECMAScript 2026, JSON.parse source text access). */
const exactNumber = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** JSON in which bigints are numbers with all their digits. */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? exactNumber(String(inner)) : inner))
