import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { parseHistoryUrl } from "../src/HistoryUrl.ts"

describe("The URL of history", () => {
  it("has user, password, which may be empty and is not written, and database, decoded", () => {
    const url = parseHistoryUrl("https://wri%40ter:p%40ss%2Fword%3A1@clickhouse.example:8443/launch_registry")!
    const { origin, user, database } = url
    assert.deepStrictEqual([origin, user, database], ["https://clickhouse.example:8443", "wri@ter", "launch_registry"])
    assert.strictEqual(Redacted.value(url.password), "p@ss/word:1")
    assert.strictEqual(Redacted.value(parseHistoryUrl("http://writer@localhost:8123/history")!.password), "")
    assert.notInclude(`${JSON.stringify(url)} ${String(url.password)}`, "p@ss")
  })

  it.each([
    ...["", "history", "clickhouse://writer:s@host:9000/history", "http://host:8123/history", "http://:s@host/history"],
    ...[
      "http://w%zz:s@host/history",
      ...["", "/", "/a/b", "/history/", "/drop table", "/history?x=1", "/history#x"].map(
        (path) => `http://writer:s@host:8123${path}`,
      ),
    ],
    ...["http://writer:s@host:8123/0history", "http://writer:s@host:8123/a-b"],
  ])("is not %j", (text) => assert.isUndefined(parseHistoryUrl(text)))
})
