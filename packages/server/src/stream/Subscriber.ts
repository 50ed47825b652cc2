import type { Fiber } from "effect"
import { afterCommit, type ChangePosition, idOf } from "./ChangePosition.ts"
import type { ChangeFilter, Commit, CommittedChange } from "./Commit.ts"
import { Follower } from "./Followed.ts"

/** Approximate size of a write to the socket. */
export const CHUNK_BYTES = 65_536

/** A reader of the stream: its filter, position and connection state. */
export class Subscriber {
  readonly filter: ChangeFilter
  /** Everything before it was written or filtered out. */
  position: ChangePosition
  /** Whether it has caught up and reads from the buffer. */
  isLive = false
  /** The stream ends at the next pull. */
  isEnded = false
  /** Time of the last write, in milliseconds. */
  sentAt: number
  /** When the pending write was handed to the connection; `undefined` once drained. */
  handedAt: number | undefined
  /** Submissions and markets whose states it is sent as well. */
  readonly follower = new Follower(() => this.wake?.())
  /** Wakes the stream while it waits: when there may be something new for it after commit `seen`, by default after all that there are. */
  wake: ((seen?: number) => void) | undefined
  /** Fiber of the request: interrupting it closes a stalled connection. */
  readonly #request: Fiber.Fiber<unknown, unknown>

  constructor(request: Fiber.Fiber<unknown, unknown>, filter: ChangeFilter, now: number) {
    this.#request = request
    this.filter = filter
    this.position = afterCommit(0)
    this.sentAt = now
  }

  /**
   * The next changes of `commits` that pass the filter, about `bytesMax` as events, and moves the position after them. If there are
   * none, moves after all commits.
   */
  take(commits: ReadonlyArray<Commit>, bytesMax: number): ReadonlyArray<CommittedChange> {
    const taken: Array<CommittedChange> = []
    let bytes = 0
    for (const { changes, id } of commits) {
      if (id < this.position.commit) continue
      const start = id === this.position.commit ? this.position.index + 1 : 0
      for (let index = start; index < changes.length; index++) {
        const change = changes[index]
        if (!change?.passes(this.filter)) continue
        taken.push(change)
        bytes += change.frame.length
        if (bytes < bytesMax) continue
        this.position = { commit: id, index }
        return taken
      }
      this.position = afterCommit(id)
    }
    return taken
  }

  /** A comment with an id, so that a reader without events can resume at its position. */
  heartbeat(): Buffer {
    return Buffer.from(`: heartbeat\nid: ${idOf(this.position)}\n\n`)
  }

  /** Ends the stream, or closes the connection if it is not drained. */
  end(): void {
    this.isEnded = true
    if (this.handedAt === undefined) this.wake?.()
    else this.drop()
  }

  /** Closes the connection. The reader can resume. */
  drop(): void {
    this.#request.interruptUnsafe()
  }
}
