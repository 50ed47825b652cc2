import { assert, describe, it } from "@effect/vitest"
import { MetadataDraft } from "@launch-registry/domain/ipfs/IpfsApi"
import { Schema } from "effect"
import { METADATA_BYTES_MAX, metadataDocument, pictureCids } from "../src/content/MetadataDocument.ts"

const GATEWAY = "https://gateway.example/ipfs"
const CID = "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"
const here = { gatewayUrl: GATEWAY, storedTypes: new Map<string, string>() }

/** The document, parsed. */
// Tests compare its fields one by one.
// oxlint-disable-next-line typescript/no-explicit-any
const read = (draft: Partial<MetadataDraft>, surroundings = here): any =>
  JSON.parse(new TextDecoder().decode(metadataDocument({ name: "Tour", symbol: "TOUR", ...draft }, surroundings)))

const Link = Schema.Literals(["", "https://example.com/a.png", `ipfs://${CID}`, "http://127.0.0.1:3001/ipfs/x"])
const Draft = Schema.Struct({
  name: Schema.String,
  symbol: Schema.String,
  imageUri: Schema.optionalKey(Link),
  bannerUri: Schema.optionalKey(Link),
  description: Schema.optionalKey(Schema.String),
  website: Schema.optionalKey(Link),
  twitter: Schema.optionalKey(Link),
  telegram: Schema.optionalKey(Link),
})

describe("The metadata document", () => {
  it.each([
    [`ipfs://${CID}`, `${GATEWAY}/${CID}`],
    [`ipfs://${CID}/logo.png`, `${GATEWAY}/${CID}/logo.png`],
    [`ipfs://ipfs/${CID}`, `${GATEWAY}/${CID}`],
    ["https://example.com/i.png?a=ipfs://b", "https://example.com/i.png?a=ipfs://b"],
    [`http://localhost:3001/ipfs/${CID}`, `http://localhost:3001/ipfs/${CID}`],
  ])("shows the picture %s at %s, and so the banner", (uri, url) => {
    const document = read({ imageUri: uri, bannerUri: uri })
    assert.strictEqual(document.image, url)
    assert.strictEqual(document.banner, url)
    assert.deepStrictEqual(
      document.properties.files.map((file: { readonly uri: string }) => file.uri),
      [url],
    )
    if (uri.startsWith("ipfs:")) assert.notInclude(JSON.stringify(document), "ipfs://")
  })

  it("lists both pictures with their types, by extension", () => {
    const { properties } = read({ imageUri: "https://example.com/I.PNG?v=1#x.gif", bannerUri: "https://e.com/b.jpg" })
    assert.deepStrictEqual(properties.files, [
      { uri: "https://example.com/I.PNG?v=1#x.gif", type: "image/png" },
      { uri: "https://e.com/b.jpg", type: "image/jpeg" },
    ])
    for (const imageUri of ["https://example.png", "https://example.com/png", "https://example.com/a.constructor"])
      assert.deepStrictEqual(read({ imageUri }).properties.files, [{ uri: imageUri }])
  })

  it("uses the type stored under the CID of a picture", () => {
    const storedTypes = new Map([[CID, "image/webp"]])
    const typeOf = (imageUri: string) => read({ imageUri }, { ...here, storedTypes }).properties.files[0].type
    assert.strictEqual(typeOf(`${GATEWAY}/${CID}`), "image/webp")
    assert.strictEqual(typeOf(`${GATEWAY}/${CID}?filename=a.png`), "image/webp")
    assert.strictEqual(typeOf(`ipfs://${CID}`), "image/webp")
    assert.strictEqual(typeOf(`${GATEWAY}/${CID}/a.png`), "image/png")
    assert.isUndefined(typeOf(`https://other.example/ipfs/${CID}`))
    assert.deepStrictEqual(
      pictureCids(
        { name: "", symbol: "", imageUri: `ipfs://${CID}`, bannerUri: `${GATEWAY}/${CID.toUpperCase()}` },
        GATEWAY,
      ),
      // The gateway serves it in any base.
      [CID, CID],
    )
  })

  it("normalizes line ends of a description, and removes other invisible characters", () => {
    const description = (text: string) => read({ description: text }).description
    assert.strictEqual(description("  a\r\nb\rc\n\td\u0000\u0007\u009f \n"), "a\nb\nc\n\td")
    assert.strictEqual(description("a\ud800b"), "a\ufffdb")
    assert.isUndefined(read({ description: "\r\n " }).description)
  })

  it.prop("has the same bytes for the same fields in any order, and omits empty ones", [Draft], ([draft]) => {
    const bytes = metadataDocument(draft, here)
    const reversed = Object.fromEntries(Object.entries(draft).toReversed()) as typeof draft
    assert.deepStrictEqual(metadataDocument(reversed, here), bytes)
    const withoutEmpty = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== "")) as typeof draft
    assert.deepStrictEqual(metadataDocument(withoutEmpty, here), bytes)
    assert.notInclude(Object.values(JSON.parse(new TextDecoder().decode(bytes))), "")
  })

  it("has at most 64 KiB for any valid request", () => {
    // Allowed characters with the longest encoding in JSON and UTF-8.
    for (const character of ["a", '"', "é", "漢", "𝄞"]) {
      const link = `https://e.example/${character.repeat(2029 / character.length)}`
      const draft = Schema.decodeUnknownSync(MetadataDraft)({
        ...{ name: "漢".repeat(128), symbol: "漢".repeat(32), description: "漢".repeat(5000) },
        ...{ imageUri: link, bannerUri: `${link}b`, website: link, twitter: link, telegram: link },
      })
      const bytes = metadataDocument(draft, here)
      assert.isAtMost(bytes.length, METADATA_BYTES_MAX)
      const document = JSON.parse(new TextDecoder().decode(bytes))
      for (const field of ["image", "external_url", "website", "twitter", "telegram"])
        assert.strictEqual(document[field], link)
    }
  })
})
