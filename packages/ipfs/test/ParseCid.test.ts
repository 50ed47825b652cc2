import { assert, describe, it } from "@effect/vitest"
import { base16 } from "multiformats/bases/base16"
import { base32upper } from "multiformats/bases/base32"
import { base36 } from "multiformats/bases/base36"
import { base58btc } from "multiformats/bases/base58"
import { base64, base64url } from "multiformats/bases/base64"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { buildDag } from "../src/content/Dag.ts"
import { parseCid } from "../src/content/ParseCid.ts"
import { noise } from "./Noise.ts"

const file = buildDag(noise(1_048_577)).root
const chunk = buildDag(noise(5)).root

describe("The text of a CID", () => {
  for (const base of [base16, base32upper, base36, base58btc, base64, base64url]) {
    it(`is read in ${base.name}`, () => {
      for (const cid of [file, chunk]) assert.isTrue(parseCid(cid.toString(base as never))?.equals(cid))
    })
  }

  it("is converted from version 0 to 1, as only files of several blocks have it", () => {
    assert.isTrue(parseCid(CID.createV0(file.multihash as never).toString())?.equals(file))
  })

  it("keeps its codec", () => {
    assert.isFalse(parseCid(CID.createV1(raw.code, file.multihash).toString())?.equals(file))
  })

  it.each(["", "Qm", "hello", "bafy", "pending", "bafkrei!", `${chunk.toString()}/a`])("is not %j", (text) => {
    assert.isUndefined(parseCid(text))
  })
})
