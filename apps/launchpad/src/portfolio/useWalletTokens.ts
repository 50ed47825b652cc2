import { answered, type RegistryError, type WalletTokens } from "@launch-registry/client"
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query"
import { registry } from "../registry/Connection.ts"

const EVERY_MILLIS = 30_000

/** The tokens of a wallet, page by page, with what was looked through for them. */
export const useWalletTokens = (address: string) =>
  useInfiniteQuery<WalletTokens, RegistryError, InfiniteData<WalletTokens>, ReadonlyArray<string>, string | undefined>({
    queryKey: ["wallet", address],
    initialPageParam: undefined,
    queryFn: async ({ pageParam: cursor, signal }) =>
      answered(await registry.wallets.tokens({ address, cursor }, { signal })),
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    retry: false,
    refetchInterval: EVERY_MILLIS,
  })
