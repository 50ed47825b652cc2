import type { Refusal } from "@launch-registry/client"

/** A request that was not answered with data. */
export class Failure extends Error {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

/** Anything that was thrown, as what is shown of it. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, "fault", String(error))

/** What the client says of a request that failed. */
export const failureOfRefusal = ({ code, message, requestId, status = 0 }: Refusal): Failure => {
  if (code === "unreachable") return new Failure(status, code, "The service does not answer")
  if (code === "unexpected_answer")
    return new Failure(status, code, `The answer was ${status}, and not of this service`)
  return new Failure(status, code, message, requestId)
}
