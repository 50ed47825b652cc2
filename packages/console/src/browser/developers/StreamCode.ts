/** What a reader of `/api/stream` asks for. */
export interface StreamFilter {
  /** None: all. */
  readonly types: ReadonlyArray<string>
  /** Base58 addresses; none: all. */
  readonly mints: ReadonlyArray<string>
}

export const STREAM_TYPES = ["token", "trade", "pool", "graduation", "creator", "liquidity", "revert"] as const
export const MINTS_MAX = 50

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Mints as somebody writes them into a field, and what is no address among them. */
export const mintsOf = (
  text: string,
): { readonly mints: ReadonlyArray<string>; readonly wrong: ReadonlyArray<string> } => {
  const all = [...new Set(text.split(/[\s,]+/).filter((part) => part !== ""))]
  return { mints: all.filter((part) => ADDRESS.test(part)), wrong: all.filter((part) => !ADDRESS.test(part)) }
}

/** The same subscription in a shell. */
export const curlOf = (baseUrl: string, { mints, types }: StreamFilter): string => {
  const url = new URL("api/stream", baseUrl)
  if (types.length > 0) url.searchParams.set("types", types.join())
  if (mints.length > 0) url.searchParams.set("mintAddresses", mints.join())
  return `curl -N '${url.href.replaceAll("%2C", ",").replaceAll("'", "%27")}'`
}

/** The same subscription with the client package. */
export const typescriptOf = (baseUrl: string, { mints, types }: StreamFilter): string => {
  const filter = { ...(types.length > 0 && { types }), ...(mints.length > 0 && { mintAddresses: mints }) }
  // Apart, so that it is not taken for an import of this module, whose names are served as paths.
  const packageName = JSON.stringify("@launch-registry/client")
  return `import { connect } from ${packageName}

const { stream } = connect({ baseUrl: ${JSON.stringify(baseUrl)} })
for await (const { data, event, id } of stream.changes(${JSON.stringify(filter)})) {
  console.log(id, event, data)
}`
}
