/** The envelope of a refusal, of whatever operation. */
export interface Refusal {
  readonly success: false
  readonly code: string
  readonly message: string
  readonly requestId?: string | undefined
  /** HTTP status; 0 where no answer came. */
  readonly status?: number | undefined
}

/** A refusal where there is nobody to return it to: thrown by `answered`, pages and streams. */
export class RegistryError<R extends Refusal = Refusal> extends Error {
  override readonly name = "RegistryError"
  readonly refusal: R

  constructor(refusal: R) {
    super(`${refusal.code}: ${refusal.message}`, { cause: (refusal as { readonly cause?: unknown }).cause })
    this.refusal = refusal
  }

  get code(): R["code"] {
    return this.refusal.code
  }
}

/** The successful answer; throws `RegistryError` for a refusal. */
export const answered = <A extends { readonly success: boolean }>(
  answer: A,
): Exclude<A, { readonly success: false }> => {
  if (!answer.success) throw new RegistryError(answer as unknown as Refusal)
  return answer as Exclude<A, { readonly success: false }>
}
