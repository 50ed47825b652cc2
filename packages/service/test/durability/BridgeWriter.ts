import { Effect } from "effect"
import { EVM_USER, SOL_USER, STELLAR_USER, USDC_ON_ARB, USDC_ON_SOL, XLM } from "../../../bridge/test/TestBridge.ts"
import { keyOf, wordOf } from "./RandomValues.ts"
import { type Desk, difference, Kept, requireSent, type Writer } from "./Writer.ts"

/** On the second one swaps share an address and differ in their memos. */
const ROUTES = [
  { originAsset: USDC_ON_SOL, destinationAsset: USDC_ON_ARB, refundTo: SOL_USER, recipient: EVM_USER },
  { originAsset: XLM, destinationAsset: USDC_ON_SOL, refundTo: STELLAR_USER, recipient: SOL_USER },
]
/** No two quotes are for the same amount. */
const AMOUNT = 100_000_000

/** Requests quotes, and reports their deposits. */
export const bridgeWriter = (desk: Desk): Writer => {
  const { client, ledger, random } = desk
  const kept = new Kept(desk)
  let asked = 0

  const write = async () => {
    const amount = String(AMOUNT + asked++)
    const json = { ...ROUTES[asked % ROUTES.length]!, amount, dry: false }
    const quoted = await client.write("quote", { path: "/api/bridge/quote", json, key: keyOf(random) })
    const { depositAddress, depositMemo, id } = quoted.body.data
    const memo = depositMemo === null ? {} : { memo: String(depositMemo) }
    const swap = { id, depositAddress, depositMemo, amountIn: amount }
    let txHash: string | undefined
    kept.add(async () => {
      const [byId, byAddress, record] = [
        (await client.read(`/api/bridge/swaps/${id}`)).body?.data,
        (await client.read(`/api/bridge/status/${depositAddress}?${new URLSearchParams(memo)}`)).body?.data,
        (await client.read(`/api/transactions/${id}`)).body?.transaction,
      ]
      const shown = (data: typeof byId) =>
        data && { id: data.id, depositAddress, depositMemo: data.depositMemo, amountIn: data.amountIn }
      const hashes = (byId?.deposits ?? []).map((deposit: { readonly txHash: string }) => deposit.txHash)
      return (
        difference(`swap ${id}`, [swap, swap, id], [shown(byId), shown(byAddress), record?.id]) ??
        (txHash === undefined ? undefined : difference(`deposit of swap ${id}`, [txHash], hashes))
      )
    })
    if (!random.chance(0.7)) return
    const report = { depositAddress, ...memo, txHash: `transfer-${wordOf(random)}` }
    const kind = { path: "/api/bridge/deposit", json: report, key: keyOf(random) }
    requireSent({ accepted: true, id }, (await client.write("deposit", kind)).body.data)
    txHash = report.txHash
  }

  const audit = Effect.fnUntraced(function* (sql) {
    const twice = yield* sql<{ readonly amountIn: string; readonly swaps: number }>`
      select amount_in::text as amount_in, count(*)::integer as swaps from bridge_swaps
      group by amount_in having count(*) > 1`
    for (const { amountIn, swaps } of twice) ledger.doubled.add(`quote for ${amountIn}: ${swaps} swaps`)
  }) satisfies Writer["audit"]

  return { write, kept, audit }
}
