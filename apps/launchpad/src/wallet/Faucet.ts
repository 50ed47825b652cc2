import { FAUCET, REGISTRY_URL } from "../registry/Connection.ts"

const WAIT_MILLIS = 15_000

/** Has the local chain of the registry give an address SOL; says how much. */
export const fill = async (address: string): Promise<string> => {
  const response = await fetch(new URL(FAUCET!, REGISTRY_URL), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address }),
    signal: AbortSignal.timeout(WAIT_MILLIS),
  }).catch(() => undefined)
  const answer = (await response?.json().catch(() => undefined)) as { readonly message?: string } | undefined
  return answer?.message ?? "The registry does not answer"
}
