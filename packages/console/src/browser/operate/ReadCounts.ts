import { Failure } from "../Failure.ts"
import { countsOf, type RequestCounts } from "./TrafficRates.ts"

/** What the process that answers has counted. */
export const readCounts = async (signal: AbortSignal): Promise<RequestCounts> => {
  const response = await fetch(new URL("metrics", document.baseURI), { signal, redirect: "error" })
  if (!response.ok) throw new Failure(response.status, "metrics_not_read", `/metrics answered ${response.status}`)
  return countsOf(await response.text(), Date.now())
}
