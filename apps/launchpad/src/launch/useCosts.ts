import { useQuery } from "@tanstack/react-query"
import { useSettled } from "../design/useSettled.ts"
import { registry, SIGNS_WRITES } from "../registry/Connection.ts"
import type { Wallet } from "../wallet/Wallet.ts"
import { createRequestOf } from "./LaunchRequest.ts"
import { type Costs, useLaunch } from "./LaunchStore.ts"

const TYPING_MILLIS = 600
/** While the wallet cannot pay: somebody may be filling it. */
const LACKING_MILLIS = 10_000
/** What a launch costs hardly depends on its names, and must be known before anything is stored. */
const STAND_IN = { name: "A name of usual length", symbol: "SYMBOL", uri: `https://example.com/${"0".repeat(80)}` }

/** What is known of the price of a launch. */
export interface KnownCosts {
  readonly costs?: Costs
  /** In lamports. */
  readonly lacking?: { readonly held: string; readonly required: string; readonly shortfall: string }
  readonly problem?: string
  readonly missingPrograms?: ReadonlyArray<string>
}

/** What the launch of the draft would cost this wallet. Where each write takes a signature, it is known from the first press of the button on. */
export const useCosts = (wallet: Wallet | undefined): KnownCosts => {
  const { costs, draft } = useLaunch()
  const request = wallet === undefined ? undefined : createRequestOf(draft, STAND_IN, wallet)
  const body = useSettled(JSON.stringify(request ?? null), TYPING_MILLIS)
  const { data: answer } = useQuery({
    queryKey: ["launch costs", body],
    queryFn: ({ signal }) => registry.launch.create({ body: JSON.parse(body) }, { signal }),
    enabled: body !== "null" && !SIGNS_WRITES,
    retry: false,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => {
      const last = state.data
      return last?.success === false && last.code === "insufficient_funds" && LACKING_MILLIS
    },
  })
  if (wallet === undefined) return {}
  if (costs?.signer === wallet.address) return { costs }
  if (answer === undefined) return {}
  if (answer.success) {
    const { cost, missingPrograms, quote, wallet: funds } = answer.data
    const known = { signer: wallet.address, cost, wallet: funds, ...(quote !== undefined && { quote }) }
    return { costs: known, ...(missingPrograms !== undefined && { missingPrograms }) }
  }
  if (answer.code === "insufficient_funds") return { lacking: answer.details }
  return { problem: answer.message }
}
