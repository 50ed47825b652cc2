/** An amount in smallest units, as JSON-RPC writes it: also in whole tokens, as a number and exactly. */
export const uiAmount = (amount: bigint, decimals: number) => {
  const digits = amount.toString().padStart(decimals + 1, "0")
  const whole = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  const text = whole.includes(".") ? whole.replace(/\.?0+$/, "") : whole
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}
