import type { MetadataDraft } from "@launch-registry/domain/ipfs/IpfsApi"

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
}

const withoutEmpty = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""))

/**
 * The metadata document of a token, as wallets and explorers read it (Metaplex fungible standard, with links at the top
 * level where pump.fun put them, and again under `extensions`). Keys stand in one order and nothing depends on time, so
 * that the same fields give the same bytes and so the same CID.
 */
export const metadataDocument = (draft: MetadataDraft): Uint8Array => {
  const { bannerUri, description, imageUri, name, symbol, telegram, twitter, website } = draft
  const links = withoutEmpty({ website, twitter, telegram })
  const extension = imageUri?.split(/[?#]/)[0]!.split(".").at(-1)?.toLowerCase() ?? ""
  const files = imageUri ? [withoutEmpty({ uri: imageUri, type: CONTENT_TYPES[extension] })] : []
  const document = withoutEmpty({
    name,
    symbol,
    description,
    image: imageUri,
    banner: bannerUri,
    external_url: website,
    ...links,
    extensions: Object.keys(links).length === 0 ? undefined : links,
    properties: { files, category: "image" },
    showName: true,
  })
  return new TextEncoder().encode(JSON.stringify(document))
}
