import { assert, describe, it } from "@effect/vitest"
import { documentPlace } from "../../src/metadata/DocumentUrls.ts"

const [A, B] = ["https://gateway.example/ipfs", "https://other.example/ipfs"]
const placeOf = (uri: string) => documentPlace(uri, { gateways: [A, B], allowsPrivate: false })

const CID = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"
const OLD_CID = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"

/** URIs of strangers from which nothing is fetched. */
const REFUSED = [
  ...["", "x", "http://tokens.example/1.json", "ftp://tokens.example/1.json", "file:///etc/passwd"],
  ...["data:application/json,{}", "javascript:alert(1)", "ar://AbC", "//tokens.example/1.json"],
  ...["https://user@tokens.example/1.json", "https://:secret@tokens.example/1.json"],
  ...["https://tokens.example:8443/1.json", "https://tokens.example:22/", "https://tokens.example/1.json#a"],
  ...["https://127.0.0.1/1.json", "https://2130706433/", "https://0x7f.1/", "https://[::1]/", "https://10.0.0.1/"],
  ...["https://169.254.169.254/latest/meta-data/", "https://8.8.8.8/1.json", "https://[2606:4700::1111]/"],
  ...["https://tokens.example/a/../b", "https://tokens.example\\@evil.example/", "https://tökens.example/"],
  ...["ipfs://", "ipfs://not-a-cid", "ipfs://Qm123", `ipfs://${CID}/../../x`, `ipfs://${CID}/a?b`],
  ...[`ipfs://${CID}/..%2f..%2Fx`, `ipfs://${CID}/..%5Cx`],
  `https://tokens.example/${"x".repeat(2_048)}`,
]

describe("The place of a document", () => {
  it("is none for what is neither https nor IPFS, has credentials, a port or an address, or leads elsewhere", () => {
    for (const uri of REFUSED) assert.isUndefined(placeOf(uri), uri)
  })

  it("is each gateway in turn for content of IPFS", () => {
    for (const [uri, content] of [
      [`ipfs://${CID}`, CID],
      [`ipfs://${OLD_CID}/1.json`, `${OLD_CID}/1.json`],
      [`ipfs://ipfs/${OLD_CID}`, OLD_CID],
    ] as const)
      assert.deepStrictEqual(placeOf(uri), { site: "ipfs", urls: [`${A}/${content}`, `${B}/${content}`] }, uri)
    assert.isUndefined(documentPlace(`ipfs://${CID}`, { gateways: [], allowsPrivate: false }))
  })

  it("is first what the URI says, then the gateways, for a path of a gateway that has a CID", () => {
    const uri = `https://gone.example/ipfs/${CID}/1.json?token=1`
    assert.deepStrictEqual(placeOf(uri), {
      site: "gone.example",
      urls: [uri, `${A}/${CID}/1.json`, `${B}/${CID}/1.json`],
    })
    for (const other of ["https://gone.example/ipfs/1.json", `https://gone.example/ipfs/${CID}/..%2fx`])
      assert.deepStrictEqual(placeOf(other), { site: "gone.example", urls: [other] })
  })

  it("is of one site for all hosts below a registered domain", () => {
    for (const [host, site] of [
      ["tokens.example", "tokens.example"],
      ["a.b.tokens.example", "tokens.example"],
      ["a.b.tokens.example.", "tokens.example"],
      ["a.tokens.co.uk", "tokens.co.uk"],
      ["a.x.io", "x.io"],
    ] as const)
      assert.strictEqual(placeOf(`https://${host}/1.json`)?.site, site, host)
  })
})
