import type { MetadataDraft } from "@launch-registry/domain/ipfs/IpfsApi"
import { CID } from "multiformats/cid"

/** Largest document, in bytes. */
export const METADATA_BYTES_MAX = 65_536

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
}

/** What a document is made with beside its fields. */
export interface MetadataSurroundings {
  /** Where content is read, as `<gatewayUrl>/<cid>`. */
  readonly gatewayUrl: string
  /** Content types of what is stored here, by CID. */
  readonly storedTypes: ReadonlyMap<string, string>
}

/** A fact that is there, and is not the empty string that forms send for a field that was left out. */
const isPresent = (value: unknown): boolean => value !== undefined && value !== ""

const withoutEmpty = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isPresent(value)))

/**
 * The address of a picture that wallets and explorers can load: most know nothing of `ipfs://`, so such a URI becomes one of
 * the gateway. (`ipfs://ipfs/<cid>` is an old way to write the same.)
 */
const pictureUrl = (uri: string | undefined, gatewayUrl: string): string | undefined =>
  uri?.replace(/^ipfs:\/\/(?:ipfs\/)?/, `${gatewayUrl}/`)

/** The CID that an address below the gateway names; `undefined` for other addresses and for paths below a CID. */
const cidBelow = (url: string, gatewayUrl: string): string | undefined => {
  if (!url.startsWith(`${gatewayUrl}/`)) return undefined
  try {
    return CID.parse(url.slice(gatewayUrl.length + 1).split(/[?#]/)[0]!)
      .toV1()
      .toString()
  } catch {
    return undefined
  }
}

/** CIDs of the pictures of a document that are read at our own gateway: what they are is known if they are stored here. */
export const pictureCids = ({ bannerUri, imageUri }: MetadataDraft, gatewayUrl: string): ReadonlyArray<string> =>
  [imageUri, bannerUri].flatMap((uri) => cidBelow(pictureUrl(uri, gatewayUrl) ?? "", gatewayUrl) ?? [])

const contentTypeOf = (url: string, { gatewayUrl, storedTypes }: MetadataSurroundings): string | undefined => {
  const cid = cidBelow(url, gatewayUrl)
  const stored = cid === undefined ? undefined : storedTypes.get(cid)
  const [, extension] = /\.(\w+)$/.exec(URL.parse(url)?.pathname ?? "") ?? []
  return stored ?? CONTENT_TYPES[extension?.toLowerCase() ?? ""]
}

/** Text of several lines as it is written down: one kind of line end, nothing around it, no control characters. */
const canonicalText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .trim()

/** Halves of characters are no text that other readers know: they are written as U+FFFD, and take no more room than others. */
const wellFormed = (draft: MetadataDraft): MetadataDraft => ({
  ...draft,
  ...Object.fromEntries(
    Object.entries(draft).map(([field, value]) => [field, typeof value === "string" ? value.toWellFormed() : value]),
  ),
})

/**
 * The metadata document of a token, as wallets and explorers read it (Metaplex fungible standard, with links at the top
 * level where pump.fun put them, and again under `extensions`). Keys stand in one order and nothing depends on time, so
 * that the same fields give the same bytes and so the same CID. (What a picture at our own gateway is, is known once it is
 * stored here.)
 *
 * It has at most {@link METADATA_BYTES_MAX} bytes: links too long for that are not written twice.
 */
export const metadataDocument = (draft: MetadataDraft, surroundings: MetadataSurroundings): Uint8Array => {
  const { bannerUri, description, imageUri, name, symbol, telegram, twitter, website } = wellFormed(draft)
  const image = pictureUrl(imageUri, surroundings.gatewayUrl)
  const banner = pictureUrl(bannerUri, surroundings.gatewayUrl)
  const links = withoutEmpty({ website, twitter, telegram })
  const files = [...new Set([image, banner])].flatMap((uri) =>
    uri === undefined || uri === "" ? [] : [withoutEmpty({ uri, type: contentTypeOf(uri, surroundings) })],
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
