import { useAnswer } from "@launch-registry/client/react"
import { WRAPPED_SOL } from "../figures/Sol.ts"

const EVERY_MILLIS = 20_000

/** What a wallet has to swap, in smallest units; `undefined` where it is not known. */
export const useBalances = (address: string | undefined, baseMint: string, quoteMint: string) => {
  const { data, refetch } = useAnswer(
    ({ wallets }) => wallets.balances,
    { address: address ?? "", mintAddresses: [baseMint, quoteMint] },
    { enabled: address !== undefined, refetchInterval: EVERY_MILLIS },
  )
  const [base, quote] = data?.data.tokens ?? []
  return {
    lamports: data?.data.lamports,
    base: base?.amount,
    // SOL is wrapped by the swap itself.
    quote: quoteMint === WRAPPED_SOL ? data?.data.lamports : quote?.amount,
    again: () => void refetch(),
  }
}
