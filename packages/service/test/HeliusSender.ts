/** The results of a sender's deliveries. */
export interface Deliveries {
  readonly delivered: number
  /** Given up after the last try: never sent again. */
  readonly lost: number
  readonly repeated: number
}

/** Helius waits a second for an answer, and retries three times, a second apart. */
const DEADLINE_MILLIS = 1_000
const RETRIES = 3

/** Sends bodies like Helius: several at once, each until it is accepted or given up. */
export const sendAsHelius = async (options: {
  readonly bodies: ReadonlyArray<string>
  /** Targets in turn, like replicas behind a load balancer. */
  readonly urls: ReadonlyArray<string>
  readonly secret: string
  readonly atOnce: number
  readonly retryMillis: number
  /** Replaces Helius' timeout: a test that may lose none gives a busy machine more time. */
  readonly deadlineMillis?: number
  /** Called after each delivery that was accepted or given up. */
  readonly onSent?: (count: number) => void
}): Promise<Deliveries> => {
  const { atOnce, bodies, deadlineMillis = DEADLINE_MILLIS, retryMillis, secret, urls } = options
  let next = 0
  let sent = 0
  const count = { delivered: 0, lost: 0, repeated: 0 }

  const attempt = async (body: string, url: string): Promise<boolean> => {
    try {
      const response = await fetch(`${url}/api/webhooks/helius`, {
        method: "POST",
        headers: { authorization: secret, "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(deadlineMillis),
      })
      await response.arrayBuffer()
      return response.status === 200
    } catch {
      return false
    }
  }

  const deliver = async (body: string, index: number): Promise<void> => {
    for (let tries = 0; tries <= RETRIES; tries++) {
      if (tries > 0) {
        count.repeated++
        await new Promise((resolve) => setTimeout(resolve, retryMillis))
      }
      if (await attempt(body, urls[(index + tries) % urls.length]!)) return void count.delivered++
    }
    count.lost++
  }

  const worker = async (): Promise<void> => {
    while (next < bodies.length) {
      const index = next++
      await deliver(bodies[index]!, index)
      options.onSent?.(++sent)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return count
}
