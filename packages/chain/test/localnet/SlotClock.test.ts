import { assert, describe, it } from "@effect/vitest"
import { createSolanaRpc } from "@solana/kit"
import { Effect } from "effect"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEED_SLOT } from "../../src/localnet/SeedAccounts.ts"
import { SlotClock } from "../../src/localnet/SlotClock.ts"

describe("The slots of a local chain", () => {
  it("take as long as is set, from its birth on", () => {
    const born = Date.now() - 1_000_000
    for (const slotMillis of [400, 250, 200]) {
      const clock = new SlotClock(born, SEED_SLOT + 1n, slotMillis)
      assert.isAtLeast(Number(clock.slot - SEED_SLOT - 1n), 1_000_000 / slotMillis)
      assert.strictEqual(clock.timeOf(SEED_SLOT + 401n), Math.floor((born + 400 * slotMillis) / 1_000))
    }
  })

  it.live("end a blockhash after 150 of them", () =>
    Effect.gen(function* () {
      const rpc = createSolanaRpc((yield* LocalChain).url)
      const { value } = yield* Effect.promise(() => rpc.getLatestBlockhash().send())
      const isValid = Effect.promise(() => rpc.isBlockhashValid(value.blockhash).send())
      while ((yield* isValid).value) continue
      assert.isTrue((yield* Effect.promise(() => rpc.getBlockHeight().send())) > value.lastValidBlockHeight)
    }).pipe(Effect.provide(LocalChain.layer({ slotMillis: 1 }))),
  )
})
