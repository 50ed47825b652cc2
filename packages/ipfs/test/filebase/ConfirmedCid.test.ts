import { assert, describe, it } from "@effect/vitest"
import { base16 } from "multiformats/bases/base16"
import { base32upper } from "multiformats/bases/base32"
import { base36 } from "multiformats/bases/base36"
import { base58btc } from "multiformats/bases/base58"
import { base64, base64url } from "multiformats/bases/base64"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { buildDag } from "../../src/Dag.ts"
import { isSameContent, parseCid } from "../../src/filebase/ConfirmedCid.ts"
import { noise } from "./Noise.ts"

const file = buildDag(noise(1_048_577)).root
const chunk = buildDag(noise(5)).root

describe("A CID that Filebase names", () => {
  for (const base of [base16, base32upper, base36, base58btc, base64, base64url]) {
    it(`is ours in ${base.name} as well`, () => {
      for (const cid of [file, chunk]) {
        const parsed = parseCid(` ${cid.toString(base as never)}\n`)
        assert.isTrue(parsed !== undefined && isSameContent(parsed, cid))
      }
    })
  }

  it("is ours as version 0, which only files of several blocks have", () => {
    const parsed = parseCid(CID.createV0(file.multihash as never).toString())
    assert.isTrue(parsed !== undefined && isSameContent(parsed, file))
  })

  it("is another one with another codec or another hash", () => {
    assert.isFalse(isSameContent(CID.createV1(raw.code, file.multihash), file))
    assert.isFalse(isSameContent(chunk, file))
    assert.isFalse(isSameContent(buildDag(noise(6)).root, chunk))
  })

  it.each(["", "Qm", "hello", "bafy", "pending", "bafkrei!", `${chunk.toString()}/a`])(
    "is none when it says %j",
    (text) => {
      assert.isUndefined(parseCid(text))
    },
  )
})
