import { setTimeout as sleep } from "node:timers/promises"
import { checkedFetch } from "./ContractCheck.ts"

const LOOK_MILLIS = 50

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** The answer of a service, checked; `undefined` where there is none. */
export const answerOf = (url: string, init?: RequestInit): Promise<Json> =>
  checkedFetch(url, init).then(
    (response) => response.json() as Json,
    () => undefined,
  )

/** Looks until something is so. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(LOOK_MILLIS)
}

/** Asks until the answer is such. */
export const untilAnswer = async (url: string, holds: (answer: Json) => boolean): Promise<Json> => {
  for (;;) {
    const answer = await answerOf(url)
    if (answer !== undefined && holds(answer)) return answer
    await sleep(LOOK_MILLIS)
  }
}
