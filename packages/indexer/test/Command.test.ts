import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { readCommand } from "../src/command/Command.ts"
import { progressLine } from "../src/command/ProgressBar.ts"
import { bodiesOf, FileUnreadable, filesOf } from "../src/sources/TransactionFiles.ts"

describe("The command line", () => {
  it("accepts its commands, and nothing else", () => {
    assert.deepStrictEqual(readCommand(["ingest", "folder"]), { name: "ingest", path: "folder" })
    for (const name of ["backfill", "repair"] as const) {
      assert.deepStrictEqual(readCommand([name, "5"]), { name, fromSlot: 5n, toSlot: undefined })
      assert.deepStrictEqual(readCommand([name, "5", "9"]), { name, fromSlot: 5n, toSlot: 9n })
    }
    for (const name of ["forget-chain", "refetch", "resend-history"] as const)
      for (const isConfirmed of [true, false])
        assert.deepStrictEqual(readCommand([name, ...(isConfirmed ? ["--yes"] : [])]), { name, isConfirmed })
    for (const isConfirmed of [true, false])
      assert.deepStrictEqual(readCommand(["forgo-history", "9", ...(isConfirmed ? ["--yes"] : [])]), {
        ...{ name: "forgo-history", fromSlot: 9n, isConfirmed },
      })
    const reason = "answers are minutes old"
    assert.deepStrictEqual(readCommand(["cordon", "backup-2", reason]), {
      name: "cordon",
      endpoint: "backup-2",
      reason,
    })
    assert.deepStrictEqual(readCommand(["uncordon", "primary"]), { name: "uncordon", endpoint: "primary" })
    for (const name of ["digest", "replay", "status", "cordons", "verify-history"] as const)
      assert.deepStrictEqual(readCommand([name]), { name })
    for (const args of [
      [],
      ["ingest"],
      ["ingest", "a", "b"],
      ["backfill"],
      ["backfill", "-1"],
      ["backfill", "9", "5"],
      ["backfill", "5", "x"],
      ["repair"],
      ["repair", "9", "5"],
      ["replay", "all"],
      ["rm"],
      ["forgo-history"],
      ["forgo-history", "--yes"],
      ["forgo-history", "9", "--no"],
      ["forget-chain", "--no"],
      ["forget-chain", "--yes", "x"],
      ["cordon", "primary"],
      ["cordon", "primary", " "],
      ["cordon", "primary", "two\nlines"],
      ["cordon", "primary", "x".repeat(201)],
      ["cordon", "https://rpc.example/?api-key=x", "a reason"],
      ["cordon", "backup-x", "a reason"],
      ["uncordon", "primary", "a reason"],
      ["cordons", "primary"],
      ["refetch", "--no"],
      ["verify-history", "--yes"],
      ["resend-history", "now"],
      ["replay", "--yes"],
    ])
      assert.isUndefined(readCommand(args), args.join(" "))
  })

  it("shows the progress and the remaining time at the current pace", () => {
    assert.strictEqual(progressLine(0, 10, 0), `[${"-".repeat(30)}]   0.0 % ETA ?`)
    assert.strictEqual(progressLine(5, 10, 60_000), `[${"#".repeat(15)}${"-".repeat(15)}]  50.0 % ETA 0:01:00`)
    assert.strictEqual(progressLine(10, 10, 1), `[${"#".repeat(30)}] 100.0 % ETA 0:00:00`)
    assert.strictEqual(progressLine(0, 0, 1), `[${"#".repeat(30)}] 100.0 % ETA 0:00:00`)
  })

  it.live("reads transactions from files: one, an array, or one per line", () =>
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "registry-files-"))
      try {
        const all = [...generateBlocks({ seed: 1, slots: 3, isLarge: false })].flatMap(
          ({ transactions }) => transactions,
        )
        const text = (some: unknown) => JSON.stringify(some)
        writeFileSync(join(folder, "1.json"), text(all.slice(0, 2)))
        writeFileSync(join(folder, "2.json"), text(all[2]))
        writeFileSync(join(folder, "3.jsonl"), `${all.slice(3).map(text).join("\n\n")}\n`)
        writeFileSync(join(folder, "notes.txt"), "not read")
        const found: Array<unknown> = []
        let last = 0
        for await (const { bytesRead, text: body } of bodiesOf(filesOf(folder))) {
          found.push(...[JSON.parse(body)].flat())
          assert.isAbove(bytesRead, last)
          last = bytesRead
        }
        assert.deepStrictEqual(found, JSON.parse(text(all)))
        assert.throws(() => filesOf(join(folder, "absent")), FileUnreadable)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
  )
})
