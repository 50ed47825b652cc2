import { BridgeRecords, type QuotedTransfer, type RecordedTransfer } from "@launch-registry/domain/bridge/BridgeRecords"
import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Other records use the full name of Solana. */
const recordChain = (chain: string): string => (chain.toLowerCase() === "sol" ? "solana" : chain.toLowerCase())

/**
 * BRIDGE records of transactions. The received asset is the base token, the sent asset the quote token; amounts are in
 * smallest units of their asset, the price is whole tokens sent per whole token received with up to 40 decimals, the
 * fee is the application fee on the sent amount.
 */
const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const price = (swap: Omit<RecordedTransfer, "id" | "status" | "originTxs">) => sql`
    trim_scale(round(
      ${swap.amountIn}::numeric * power(10::numeric, ${swap.destinationDecimals}::integer) * 1::numeric(41, 40)
      / nullif(${swap.amountOut}::numeric * power(10::numeric, ${swap.originDecimals}::integer), 0), 40))`

  const add = (swap: QuotedTransfer) => {
    const feeBps = swap.appFees.reduce((sum, { fee }) => sum + fee, 0)
    return sql`
        insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in,
          amount_in_decimals, amount_out, amount_out_decimals, price_per_token, slippage_bps, fee, fee_decimals, fee_token,
          status, chain, pool_address, created_at, updated_at)
        values (${swap.id}, ${addressKey(swap.userAddress)}, '', 'BRIDGE', ${swap.destinationAsset}, ${swap.originAsset},
          ${swap.amountIn}::numeric, ${swap.originDecimals}, ${swap.amountOut}::numeric, ${swap.destinationDecimals},
          coalesce(${price(swap)}, 0), ${swap.slippageTolerance},
          trim_scale(${swap.amountIn}::numeric * ${feeBps}::integer * 0.0001), ${swap.originDecimals}, ${swap.originAsset},
          ${swap.status},
          ${recordChain(swap.originChain)}, ${swap.depositAddress}, ${swap.createdAt}, ${swap.updatedAt})`
  }

  const follow = (swap: RecordedTransfer, now: Date) => {
    const hash = swap.originTxs[0]?.hash ?? ""
    return sql`
        update transactions t
        set status = ${swap.status}, amount_in = ${swap.amountIn}::numeric, amount_out = ${swap.amountOut}::numeric,
          price_per_token = coalesce(${price(swap)}, t.price_per_token),
          tx_hash = case when ${hash} = '' then t.tx_hash else ${hash} end, updated_at = ${now}
        where t.id = ${swap.id}::uuid and t.deleted_at is null
          and (t.status <> ${swap.status} or t.amount_in <> ${swap.amountIn}::numeric
            or t.amount_out <> ${swap.amountOut}::numeric or (${hash} <> '' and t.tx_hash <> ${hash}))`
  }

  const noteHash = (id: string, hash: string, status: RecordedTransfer["status"], now: Date) => sql`
      update transactions set tx_hash = case when tx_hash = '' then ${hash} else tx_hash end, status = ${status},
        updated_at = ${now}
      where id = ${id}::uuid and deleted_at is null and (tx_hash = '' or status <> ${status})`

  const remove = (ids: ReadonlyArray<string>, now: Date) => sql`
    update transactions set deleted_at = ${now}
    where id = any(${ids}::uuid[]) and action = 'BRIDGE' and deleted_at is null`

  return BridgeRecords.of({
    add: (transfer) => Effect.asVoid(add(transfer)),
    follow: (transfer, now) => Effect.asVoid(follow(transfer, now)),
    noteHash: (id, hash, status, now) => Effect.asVoid(noteHash(id, hash, status, now)),
    remove: (ids, now) => Effect.asVoid(remove(ids, now)),
  })
})

export const bridgeRecords = Layer.effect(BridgeRecords, make)
