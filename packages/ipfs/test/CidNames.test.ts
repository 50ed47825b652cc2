import { assert, describe, it } from "@effect/vitest"
import { base16, base16upper } from "multiformats/bases/base16"
import { base32upper } from "multiformats/bases/base32"
import { base36 } from "multiformats/bases/base36"
import { base58btc } from "multiformats/bases/base58"
import { base64url } from "multiformats/bases/base64"
import { CID } from "multiformats/cid"
import { buildDag } from "../src/content/Dag.ts"
import { cidsIn, namesOf } from "../src/content/CidNames.ts"
import { noise } from "./Noise.ts"

const file = buildDag(noise(1_048_577)).root
const chunk = buildDag(noise(5)).root

describe("The names of a CID", () => {
  const forms = (cid: CID) => [
    cid.toString(),
    ...[base16, base16upper, base32upper, base36, base58btc, base64url].map((base) =>
      cid.toString(base.encoder as never),
    ),
  ]

  it("are its texts in every base, also of version 0, and those with the other codec", () => {
    const names = namesOf(file.toString())
    const asRaw = CID.createV1(0x55, file.multihash)
    const version0 = CID.createV0(file.multihash as never).toString()
    for (const name of [...forms(file), ...forms(asRaw), version0]) assert.include(names, name)
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(
      names.filter((name) => !/^[\w-]+$/.test(name)),
      [],
    )
    assert.notInclude(names, chunk.toString())
  })

  it("are found in a text, whatever stands around them", () => {
    for (const name of forms(chunk)) {
      for (const text of [
        `ipfs://${name}`,
        `{"image":"https://gw.example/ipfs/${name}/a.png?b=c"}`,
        `https://${name}.ipfs.example`,
        `https://proxy.example/?url=https%3A%2F%2Fgw.example%2Fipfs%2F${name}&w=64`,
      ])
        assert.deepStrictEqual(cidsIn(text), [chunk.toString()], text)
    }
    const version0 = CID.createV0(file.multihash as never).toString()
    assert.deepStrictEqual(cidsIn(`${version0} ${chunk.toString()} ${version0}`), [file, chunk].map(String))
    assert.deepStrictEqual(cidsIn(`https://example.com/${"a".repeat(60)}/${chunk.toString()}x`), [])
  })
})
