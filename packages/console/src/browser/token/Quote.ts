import type { SwapQuote } from "@launch-registry/client"
import { useEffect, useState } from "preact/hooks"
import { registry } from "../Registry.ts"
import { refusalText } from "./SwapWords.ts"

export interface QuoteAsked {
  readonly mintAddress: string
  readonly amount: string
  readonly slippageBps: number
  readonly swapBaseForQuote: boolean
}

export interface QuoteShown {
  readonly quote: SwapQuote | undefined
  readonly problem: string | undefined
  /** What is shown is of another amount, or older than a trade. */
  readonly isAsking: boolean
}

const TYPING_MILLIS = 250
/** A trade changes the price; one that is traded all the time is quoted no more often than this. */
const AGAIN_MILLIS = 5_000

/** A quote of what was typed; a newer one ends the request of the one before. `newest` is a trade after which it is asked again. */
export const useQuote = (asked: QuoteAsked | undefined, newest: string | undefined): QuoteShown => {
  const [shown, setShown] = useState<Omit<QuoteShown, "isAsking"> & { readonly key: string; readonly newest: string }>()
  const key = asked === undefined ? "" : Object.values(asked).join(" ")
  const isOther = shown?.key !== key
  const isOlder = shown?.newest !== (newest ?? "")
  useEffect(() => {
    if (asked === undefined || (!isOther && !isOlder)) return
    const ended = new AbortController()
    const ask = async (): Promise<void> => {
      try {
        const answer = await registry.launch.quote({ body: asked }, { signal: ended.signal })
        const facts = { key, newest: newest ?? "" }
        if (answer.success) setShown({ ...facts, quote: answer.data, problem: undefined })
        else setShown({ ...facts, quote: undefined, problem: refusalText(answer) })
      } catch (error) {
        if (!ended.signal.aborted) throw error
      }
    }
    const timer = setTimeout(() => void ask(), isOther ? TYPING_MILLIS : AGAIN_MILLIS)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
    // A trade while one is being waited for does not put it off.
  }, [key, isOther, isOlder])
  if (asked === undefined) return { quote: undefined, problem: undefined, isAsking: false }
  return {
    quote: isOther ? undefined : shown?.quote,
    problem: isOther ? undefined : shown?.problem,
    isAsking: isOther,
  }
}
