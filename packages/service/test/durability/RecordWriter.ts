import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { SOL } from "../Samples.ts"
import { addressOf, keyOf } from "./RandomValues.ts"
import { type Desk, difference, Kept, requireSent, type Writer } from "./Writer.ts"

/** Records trades and their final statuses. */
export const recordWriter = (desk: Desk): Writer => {
  const { client, ledger, random } = desk
  const kept = new Kept(desk)

  const write = async () => {
    const sent = {
      userAddress: addressOf(random),
      txHash: encodeBase58(random.bytes(64)),
      action: random.pick(["BUY", "SELL"]),
      baseToken: addressOf(random),
      quoteToken: SOL,
      amountIn: `${random.below(1_000_000)}.5`,
      amountOut: String(random.u64()),
      pricePerToken: "0.0015",
      slippageBps: String(random.below(10_001)),
      fee: "0.01",
      feeToken: SOL,
      chain: "solana",
      poolAddress: addressOf(random),
    }
    const recorded = await client.write("record", { path: "/api/transactions", json: sent, key: keyOf(random) })
    let record = recorded.body.transaction
    requireSent(sent, record)
    const path = `/api/transactions/${record.id}`
    kept.add(async () => difference(`record ${record.txHash}`, record, (await client.read(path)).body?.transaction))
    const status = random.pick(["success", "failed"])
    const ended = await client.write("status", { method: "PATCH", path: `${path}/status`, json: { status } })
    record = ended.body.transaction
    requireSent({ ...sent, status }, record)
  }

  const audit = Effect.fnUntraced(function* (sql) {
    const twice = yield* sql<{ readonly txHash: string }>`
      select tx_hash from transactions where action in ('BUY', 'SELL') group by tx_hash having count(*) > 1`
    for (const { txHash } of twice) ledger.doubled.add(`record ${txHash}`)
  }) satisfies Writer["audit"]

  return { write, kept, audit }
}
