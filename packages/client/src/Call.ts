/** What any call may be given. */
export interface CallOptions {
  /** Aborts the call, also between attempts: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Instead of a random one, for a POST that takes it: a later call with the same key gets the first answer. */
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** HTTP status of a refusal: what to go by where its `code` is not known. */
export interface HttpStatus {
  readonly status: number
}

/** No answer came, also after the attempts that were allowed. Whether a POST without Idempotency-Key took effect is unknown. */
export interface Unreachable {
  readonly success: false
  readonly code: "unreachable"
  readonly message: string
  readonly requestId?: undefined
  readonly status: 0
  readonly cause: unknown
}

/** The answer is not the registry's: that of a proxy, or of another service. */
export interface UnexpectedAnswer {
  readonly success: false
  readonly code: "unexpected_answer"
  readonly message: string
  readonly requestId?: undefined
  /** HTTP status. */
  readonly status: number
}

export type ClientRefusal = Unreachable | UnexpectedAnswer

/** The answers of most operations. */
export interface Success<Data> {
  readonly success: true
  readonly data: Data
  /** What was done, human-readable. */
  readonly message?: string
}

/**
 * Sends one request. Parameters of the path and query are fields of `request`, the body is `body`. Resolves to the envelope: `success` says
 * which, and `code` what was refused. Rejects only when it is aborted, or when a parameter of the path is missing.
 */
export interface Call<Request, Answer, Refusal> {
  (request: Request, options?: CallOptions): Promise<Answer | (Refusal & HttpStatus) | ClientRefusal>
  /** `operationId` in openapi.json. */
  readonly operation: string
}

/** A call without required parameters. */
export interface OptionalCall<Request, Answer, Refusal> {
  (request?: Request, options?: CallOptions): Promise<Answer | (Refusal & HttpStatus) | ClientRefusal>
  readonly operation: string
}
