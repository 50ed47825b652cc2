import { assert, describe, it } from "vitest"
import { type Command, readCommand } from "../../src/access/Command.ts"

const read = (line: string): Command | undefined => readCommand(line === "" ? [] : line.split(" "))

describe("The command line of keys", () => {
  it("reads commands with their options", () => {
    const create = { name: "create", keyName: "dapp" } as const
    assert.deepStrictEqual(read("create --name dapp --scopes write"), { ...create, scopes: ["write"], days: undefined })
    assert.deepStrictEqual(read("create --scopes=read,admin,read --name=dapp --days=30"), {
      ...{ ...create, scopes: ["read", "admin"], days: 30 },
    })
    assert.deepStrictEqual(read("list"), { name: "list" })
    assert.deepStrictEqual(read("rotate abc"), { name: "rotate", id: "abc", overlapHours: 24 })
    assert.deepStrictEqual(read("rotate abc --overlap-hours 0"), { name: "rotate", id: "abc", overlapHours: 0 })
    assert.deepStrictEqual(read("revoke abc"), { name: "revoke", id: "abc" })
    assert.deepStrictEqual(read("audit --limit 5"), { name: "audit", limit: 5 })
  })

  it("reads nothing else", () => {
    for (const line of [
      ...["", "help", "create", "create --name dapp", "create --scopes write", "create --name dapp --scopes all"],
      ...[
        "create x --name dapp --scopes write",
        "create --name dapp --scopes write --days 0",
        "list x",
        "list --days 1",
      ],
      ...["rotate", "rotate a b", "rotate a --overlap-hours -1", "revoke", "revoke a --limit 1", "audit --limit 0"],
      ...["audit --limit many", "list --unknown 1"],
    ])
      assert.isUndefined(read(line), line)
  })
})
