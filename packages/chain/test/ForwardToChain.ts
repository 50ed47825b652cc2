import type { ServerResponse } from "node:http"

/**
 * Passes a request on to a chain, and answers what the chain does, or what `changed` makes of that. Where the chain has gone, as
 * at the end of a test with a request in flight, the connection ends.
 */
export const forwardToChain = async (
  chainUrl: string,
  body: string,
  response: ServerResponse,
  changed = (answer: string): string => answer,
): Promise<void> => {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(chainUrl, { method: "POST", headers, body })
    .then((answer) => answer.text())
    .catch(() => undefined)
  if (answer === undefined) response.destroy()
  else response.end(changed(answer))
}
