import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { parseHistoryUrl } from "../src/HistoryUrl.ts"

describe("The URL of history", () => {
  it("has user, password and database, decoded", () => {
    const url = parseHistoryUrl("https://wri%40ter:p%40ss%2Fword%3A1@clickhouse.example:8443/launch_registry")!
    assert.strictEqual(url.origin, "https://clickhouse.example:8443")
    assert.strictEqual(url.user, "wri@ter")
    assert.strictEqual(Redacted.value(url.password), "p@ss/word:1")
    assert.strictEqual(url.database, "launch_registry")
  })

  it("may have an empty password", () => {
    assert.strictEqual(Redacted.value(parseHistoryUrl("http://writer@localhost:8123/history")!.password), "")
  })

  it("does not write its password", () => {
    const url = parseHistoryUrl("http://writer:secret@localhost:8123/history")
    assert.notInclude(`${JSON.stringify(url)} ${String(url?.password)}`, "secret")
  })

  for (const text of [
    ...["", "history", "clickhouse://writer:secret@host:9000/history", "http://host:8123/history"],
    ...["http://writer:secret@host:8123", "http://writer:secret@host:8123/", "http://writer:secret@host:8123/a/b"],
    ...[
      "http://writer:secret@host:8123/history/",
      "http://writer:secret@host:8123/drop table",
      "http://:secret@host/history",
    ],
    ...[
      "http://writer:secret@host:8123/history?x=1",
      "http://writer:secret@host:8123/history#x",
      "http://w%zz:s@host/history",
    ],
    ...["http://writer:secret@host:8123/0history", "http://writer:secret@host:8123/a-b"],
  ]) {
    it(`is not "${text}"`, () => assert.isUndefined(parseHistoryUrl(text)))
  }
})
