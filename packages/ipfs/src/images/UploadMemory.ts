import { UploadsBusy } from "@launch-registry/domain/ipfs/IpfsErrors"
import { FORM_BYTES_MAX } from "@launch-registry/domain/ipfs/IpfsApi"
import { Effect } from "effect"

/** Bytes of bodies in memory at once. Of these, room for one of the largest is for the upload that reads to its end. */
const BYTES_AT_ONCE = 64 * 1024 * 1024
/** What an upload counts for before anything of its body came. */
const BYTES_FIRST = 64 * 1024
/** More is taken in pieces of this length. */
const BYTES_STEP = 256 * 1024
/** How long an upload waits before the caller is told to come back. */
const WAIT_MILLIS = 10_000

/** Counts bytes that came in, and waits for room when there is none. `UploadsBusy` after 10 s without. */
export type ClaimBytes = (bytes: number) => Effect.Effect<void, UploadsBusy>

/**
 * Runs an upload that counts for what came in of it: who announces much and sends nothing keeps nobody out. `claim` is to be
 * called before more is read, so that the caller's sending stands still while there is no room.
 */
export interface UploadMemory {
  readonly hold: <A, E, R>(
    upload: (claim: ClaimBytes) => Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | UploadsBusy, R>
}

/** What an upload has of the memory. */
interface Account {
  heldBytes: number
  /** It has the room in which it can read to its end. */
  isFinishing: boolean
}

interface Claim {
  readonly account: Account
  readonly bytes: number
  readonly grant: () => void
}

/**
 * The bound on what uploads keep in memory, for all of them together. Half-read uploads that all wait for more cannot stand still:
 * one of them gets the room that is kept for this, which is enough for all of its body whatever its length, so it ends, and what it
 * had goes to those who wait, in the order in which they asked (the small pass the large).
 */
export const makeUploadMemory: Effect.Effect<UploadMemory> = Effect.sync(() => {
  let freeBytes = BYTES_AT_ONCE - FORM_BYTES_MAX
  let someoneFinishes = false
  const waiting = new Set<Claim>()

  const isGranted = (account: Account, bytes: number): boolean => {
    if (account.isFinishing) return true
    if (freeBytes >= bytes) {
      freeBytes -= bytes
      account.heldBytes += bytes
      return true
    }
    // Not for who has nothing yet: it would be the first of an idle connection.
    if (someoneFinishes || account.heldBytes === 0) return false
    someoneFinishes = true
    account.isFinishing = true
    return true
  }

  const take = (account: Account, bytes: number) =>
    Effect.callback<void>((resume) => {
      if (isGranted(account, bytes)) return resume(Effect.void)
      const claim: Claim = { account, bytes, grant: () => resume(Effect.void) }
      waiting.add(claim)
      return Effect.sync(() => waiting.delete(claim))
    }).pipe(Effect.timeoutOrElse({ duration: WAIT_MILLIS, orElse: () => Effect.fail(new UploadsBusy()) }))

  const release = (account: Account) => {
    freeBytes += account.heldBytes
    if (account.isFinishing) someoneFinishes = false
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
          let arrivedBytes = 0
          const claim: ClaimBytes = (bytes) =>
            Effect.suspend(() => {
              arrivedBytes += bytes
              const lackingBytes = arrivedBytes - account.heldBytes
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
