import { Schema } from "effect"

const visible = (what: string, options: { readonly minimum: number; readonly maximum: number }) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) =>
        (text.length >= options.minimum && text.length <= options.maximum && /^[\u0021-\u007e]+$/.test(text)) ||
        `expected ${what}: ${options.minimum} to ${options.maximum} characters without white space`,
    ),
    Schema.isMaxLength(options.maximum),
  )

/** An address on any of the chains that a bridge reaches. Whether its chain takes it, the swap service says. */
export const ForeignAddress = visible("an address on its chain", { minimum: 2, maximum: 256 }).annotate({
  identifier: "ForeignAddress",
  description: "Address in the form of its chain",
})

/** Where a swap is paid to: made by the swap service, so never as short as a name that somebody chose. */
export const DepositAddress = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.:-]{12,256}$/, { expected: "the deposit address of a swap" }),
  Schema.isMaxLength(256),
).annotate({ identifier: "DepositAddress", description: "Address that a swap is paid to, in the form of its chain" })

/** What tells swaps with the same deposit address apart, on the chains that have memos. */
export const DepositMemo = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (text.length >= 1 && text.length <= 256 && !/[\u0000-\u001f\u007f-\u009f]/.test(text)) ||
      "expected the memo of a quote: 1 to 256 characters",
  ),
  Schema.isMaxLength(256),
).annotate({ identifier: "DepositMemo", description: "Memo that assigns a deposit to its swap, on chains with memos" })

/** Hash of a transfer on its chain. */
export const TransferHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_:.+/=@-]{16,128}$/, {
    expected: "a transaction hash (16 to 128 characters, no white space)",
  }),
  Schema.isMaxLength(128),
).annotate({ identifier: "TransferHash", description: "Transaction hash of the transfer, in the form of its chain" })

/** Id of an asset as the swap service lists it, such as `nep141:<contract_address>`. */
export const AssetId = visible("an asset id of GET /api/bridge/tokens, such as nep141:<contract_address>", {
  minimum: 3,
  maximum: 256,
}).annotate({
  identifier: "AssetId",
  description: "Asset id of GET /api/bridge/tokens, such as nep141:<contract_address>",
})

/** An amount as it is answered: a whole number in smallest units. */
export const Units = Schema.String.annotate({
  description: "Whole number in the smallest units of the asset, as a decimal string",
})
