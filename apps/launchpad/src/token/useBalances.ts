import { useAnswer } from "@launch-registry/client/react"

/** What a wallet has to swap, in smallest units; `undefined` where it is not known. */
export interface Balances {
  readonly base: string | undefined
  readonly quote: string | undefined
  readonly again: () => void
}

const EVERY_MILLIS = 20_000

export const useBalances = (address: string | undefined, baseMint: string, _quoteMint: string): Balances => {
  const { data, refetch } = useAnswer(
    ({ wallets }) => wallets.tokens,
    { address: address ?? "", limit: 100 },
    { enabled: address !== undefined, refetchInterval: EVERY_MILLIS },
  )
  const base = data?.data.find(({ mintAddress }) => mintAddress === baseMint)?.amount ?? undefined
  return { base, quote: undefined, again: () => void refetch() }
}
