import { assert, describe, it } from "vitest"
import { isPermissive, licencesText, productionClosure } from "./Licences.ts"

describe("The list of licences", () => {
  it("says why each package is used whose licence asks for more than a notice", () => {
    const [, noted] = /## Not permissive\n\n([\s\S]*?)\n\n/.exec(licencesText())!
    const names = noted!.split("\n").map((line) => /^- `(\S+)`/.exec(line)![1])
    assert.deepStrictEqual(names, ["@img/sharp-libvips-*", "rpc-websockets"])
  })

  it("has the packages of production, and not those of tests", () => {
    const names = productionClosure().map(({ name }) => name)
    assert.isAbove(names.length, 200)
    // A direct, a transitive and optional dependencies.
    assert.includeMembers(names, ["effect", "rpc-websockets", "@img/sharp-libvips-*", "@web3-storage/w3up-client"])
    assert.notIncludeMembers(names, ["vitest"])
    assert.isEmpty(names.filter((name) => /vitest|oxlint|s3rver|launch-registry|(linux|darwin|win32)-/.test(name)))
  })

  it("recognizes permissive licences", () => {
    for (const licence of ["MIT", "(MIT AND Zlib)", "(MIT OR GPL-3.0)", "Apache-2.0 OR MIT"])
      assert.isTrue(isPermissive(licence), licence)
    for (const licence of [
      "LGPL-3.0-only",
      "(MIT AND LGPL-3.0-or-later)",
      "GPL-2.0 OR AGPL-3.0",
      "(MIT OR GPL-3.0) AND LGPL-3.0",
      "LGPL-3.0 AND (GPL-3.0 OR MIT)",
      "((MIT OR GPL-3.0) AND LGPL-3.0)",
      "",
      "SEE LICENSE IN X",
    ])
      assert.isFalse(isPermissive(licence), licence)
  })
})
