import type { MetadataDraft } from "@launch-registry/domain/ipfs/IpfsApi"
import { parseCid } from "./ParseCid.ts"

/** Largest document, in bytes. */
export const METADATA_BYTES_MAX = 65_536

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
}

/** What a document depends on besides its fields. */
export interface MetadataContext {
  /** Where content is read, as `<gatewayUrl>/<cid>`. */
  readonly gatewayUrl: string
  /** Content types of stored images, by CID. */
  readonly storedTypes: ReadonlyMap<string, string>
}

/** Forms send an empty string for a field that was left out. */
const isPresent = (value: unknown): boolean => value !== undefined && value !== ""

const withoutEmpty = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isPresent(value)))

/**
 * A picture URL that wallets and explorers can load: most do not support `ipfs://`, so such a URI becomes one of the gateway.
 * (`ipfs://ipfs/<cid>` is an old form of the same.)
 */
const pictureUrl = (uri: string | undefined, gatewayUrl: string): string | undefined =>
  uri?.replace(/^ipfs:\/\/(?:ipfs\/)?/, `${gatewayUrl}/`)

/** The CID in a URL of our gateway; `undefined` for other URLs and for paths below a CID. */
const cidBelow = (url: string, gatewayUrl: string): string | undefined =>
  url.startsWith(`${gatewayUrl}/`)
    ? parseCid(url.slice(gatewayUrl.length + 1).split(/[?#]/)[0]!)?.toString()
    : undefined

/** The CID of a URL of our gateway or an ipfs URI; `undefined` for others. */
export const cidOf = (uri: string, gatewayUrl: string): string | undefined =>
  cidBelow(pictureUrl(uri, gatewayUrl)!, gatewayUrl)

/** CIDs of the pictures at our gateway: their content types are known if they are stored here. */
export const pictureCids = ({ bannerUri, imageUri }: MetadataDraft, gatewayUrl: string): ReadonlyArray<string> =>
  [imageUri, bannerUri].flatMap((uri) => (uri === undefined ? [] : (cidOf(uri, gatewayUrl) ?? [])))

const contentTypeOf = (url: string, { gatewayUrl, storedTypes }: MetadataContext): string | undefined => {
  const cid = cidBelow(url, gatewayUrl)
  const stored = cid === undefined ? undefined : storedTypes.get(cid)
  const [, extension] = /\.(\w+)$/.exec(URL.parse(url)?.pathname ?? "") ?? []
  return stored ?? CONTENT_TYPES[extension?.toLowerCase() ?? ""]
}

/** Normalizes line ends, trims, and removes control characters. */
const canonicalText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .trim()

/** Replaces lone surrogates, which are not valid UTF-8, with U+FFFD. */
const wellFormed = (draft: MetadataDraft): MetadataDraft => ({
  ...draft,
  ...Object.fromEntries(
    Object.entries(draft).map(([field, value]) => [field, typeof value === "string" ? value.toWellFormed() : value]),
  ),
})

/**
 * The metadata document of a token as wallets and explorers read it (Metaplex fungible standard, with links at the top level as
 * on pump.fun, and again under `extensions`). Keys have a fixed order and nothing depends on time, so the same fields give the same
 * bytes and CID, apart from the type of a picture at our gateway, which is known once that is stored.
 *
 * At most {@link METADATA_BYTES_MAX} bytes: links that would exceed that are not repeated.
 */
export const metadataDocument = (draft: MetadataDraft, context: MetadataContext): Uint8Array => {
  const { bannerUri, description, imageUri, name, symbol, telegram, twitter, website } = wellFormed(draft)
  const image = pictureUrl(imageUri, context.gatewayUrl)
  const banner = pictureUrl(bannerUri, context.gatewayUrl)
  const links = withoutEmpty({ website, twitter, telegram })
  const files = [...new Set([image, banner])].flatMap((uri) =>
    uri === undefined || uri === "" ? [] : [withoutEmpty({ uri, type: contentTypeOf(uri, context) })],
  )
  const documentWith = (repeated: { readonly extensions: unknown; readonly files: ReadonlyArray<unknown> }) =>
    new TextEncoder().encode(
      JSON.stringify(
        withoutEmpty({
          ...{ name, symbol, description: description && canonicalText(description), image, banner },
          external_url: website,
          ...links,
          extensions: repeated.extensions,
          properties: { files: repeated.files, category: "image" },
          showName: true,
        }),
      ),
    )
  const document = documentWith({ extensions: Object.keys(links).length === 0 ? undefined : links, files })
  return document.length <= METADATA_BYTES_MAX ? document : documentWith({ extensions: undefined, files: [] })
}
