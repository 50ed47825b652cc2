import { failureOfRefusal } from "../Failure.ts"
import { FAUCET } from "../Page.ts"

const WAIT_MILLIS = 15_000

/** Has the service's local chain give an address SOL; says how much. Fails with a `Failure`. */
export const fill = async (address: string): Promise<string> => {
  const unreachable = {
    success: false,
    code: "unreachable",
    status: 0,
    message: "The service does not answer",
  } as const
  const response = await fetch(new URL(FAUCET!, document.baseURI), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address }),
    signal: AbortSignal.timeout(WAIT_MILLIS),
  }).catch(() => undefined)
  const answer = await response?.json().catch(() => undefined)
  if (answer?.success !== true)
    throw failureOfRefusal(answer === undefined ? unreachable : { ...answer, status: response!.status })
  return answer.message
}
