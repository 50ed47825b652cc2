import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { FORM_BYTES_MAX } from "@launch-registry/domain/ipfs/IpfsApi"
import { Effect } from "effect"

/** Memory for all bodies in flight, including a reserve for one body of any length. */
const BYTES_AT_ONCE = 64 * 1024 * 1024
/** Counted for an upload before its body arrives. */
const BYTES_FIRST = 64 * 1024
/** Memory is claimed in steps of this size. */
const BYTES_STEP = 256 * 1024
/** How long an upload waits for memory before it is refused. */
const WAIT_MILLIS = 10_000

/** Claims memory for received bytes, waiting if there is none; `Busy` after 10 s. */
export type ClaimBytes = (bytes: number) => Effect.Effect<void, Busy>

/**
 * Runs an upload, which is charged for received bytes only: a large Content-Length without a body blocks no other upload. Call
 * `claim` before reading more, so that backpressure reaches the sender while there is no memory.
 */
export interface UploadMemory {
  readonly hold: <A, E, R>(upload: (claim: ClaimBytes) => Effect.Effect<A, E, R>) => Effect.Effect<A, E | Busy, R>
}

/** The memory of one upload. */
interface Account {
  heldBytes: number
  /** Whether it has the reserve, and so can read to its end. */
  isFinishing: boolean
}

interface Claim {
  readonly account: Account
  readonly bytes: number
  readonly grant: () => void
}

/**
 * Limits the memory of all uploads together. Half-read uploads that all wait for more cannot deadlock: one of them gets the reserve,
 * which fits any body, so it finishes, and its memory goes to the waiting ones in order (small claims may pass large ones).
 */
export const makeUploadMemory: Effect.Effect<UploadMemory> = Effect.sync(() => {
  let freeBytes = BYTES_AT_ONCE - FORM_BYTES_MAX
  let isReserveTaken = false
  const waiting = new Set<Claim>()

  const isGranted = (account: Account, bytes: number): boolean => {
    if (account.isFinishing) return true
    if (freeBytes >= bytes) {
      freeBytes -= bytes
      account.heldBytes += bytes
      return true
    }
    // Not for an upload that has received nothing: it may be an idle connection.
    if (isReserveTaken || account.heldBytes === 0) return false
    isReserveTaken = true
    account.isFinishing = true
    return true
  }

  const take = (account: Account, bytes: number) =>
    Effect.callback<void>((resume) => {
      if (isGranted(account, bytes)) return resume(Effect.void)
      const claim: Claim = { account, bytes, grant: () => resume(Effect.void) }
      waiting.add(claim)
      return Effect.sync(() => waiting.delete(claim))
    }).pipe(
      Effect.timeoutOrElse({ duration: WAIT_MILLIS, orElse: () => Effect.fail(new Busy({ resource: "uploads" })) }),
    )

  const release = (account: Account) => {
    freeBytes += account.heldBytes
    if (account.isFinishing) isReserveTaken = false
    for (const claim of waiting) {
      if (!isGranted(claim.account, claim.bytes)) continue
      waiting.delete(claim)
      claim.grant()
    }
  }

  return {
    hold: (upload) =>
      Effect.acquireUseRelease(
        Effect.sync((): Account => ({ heldBytes: 0, isFinishing: false })),
        (account) => {
          let receivedBytes = 0
          const claim: ClaimBytes = (bytes) =>
            Effect.suspend(() => {
              receivedBytes += bytes
              const lackingBytes = receivedBytes - account.heldBytes
              if (lackingBytes <= 0) return Effect.void
              return take(account, Math.ceil(lackingBytes / BYTES_STEP) * BYTES_STEP)
            })
          return Effect.andThen(
            take(account, BYTES_FIRST),
            Effect.suspend(() => upload(claim)),
          )
        },
        (account) => Effect.sync(() => release(account)),
      ),
  }
})
