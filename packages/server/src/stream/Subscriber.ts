import type { Fiber } from "effect"
import { afterCommit, type ChangePosition, idOf } from "./ChangePosition.ts"
import type { ChangeFilter, Commit } from "./Commit.ts"

/** Events are handed to the socket in pieces of about this size. */
const CHUNK_BYTES = 65_536

/** One reader of the stream: what it wants, where it stands, and whether its connection takes what it is given. */
export class Subscriber {
  readonly filter: ChangeFilter
  /** Everything up to here was given to the connection, or is nothing that the reader wants. */
  position: ChangePosition
  /** Commits read from the database to catch up with; none when it follows the recent ones. */
  backlog: ReadonlyArray<Commit> = []
  /** Whether it has caught up: it follows what is held of the latest commits. */
  isLive = false
  /** Its stream ends when it is asked for more. */
  isEnded = false
  /** When something was last written to it; milliseconds. */
  sentAt: number
  /** When the connection was given what it has not taken yet; `undefined` while it waits for more. */
  handedAt: number | undefined
  /** Called when there may be something new. */
  wake: (() => void) | undefined
  /** Runs the request, so that interrupting it closes a connection that takes nothing. */
  readonly #request: Fiber.Fiber<unknown, unknown>

  constructor(request: Fiber.Fiber<unknown, unknown>, filter: ChangeFilter, now: number) {
    this.#request = request
    this.filter = filter
    this.position = afterCommit(0)
    this.sentAt = now
  }

  /**
   * The next events among `commits` that the reader wants, about a chunk of them, and moves behind them; nothing when
   * there are none: then it has moved behind all of the commits.
   */
  take(commits: ReadonlyArray<Commit>): Buffer | undefined {
    const frames: Array<Buffer> = []
    let bytes = 0
    for (const { changes, id } of commits) {
      if (id < this.position.commit) continue
      const start = id === this.position.commit ? this.position.index + 1 : 0
      for (let index = start; index < changes.length; index++) {
        const change = changes[index]
        if (!change?.passes(this.filter)) continue
        bytes += frames[frames.push(change.frame) - 1]!.length
        if (bytes < CHUNK_BYTES) continue
        this.position = { commit: id, index }
        return Buffer.concat(frames)
      }
      this.position = afterCommit(id)
    }
    return frames.length === 0 ? undefined : Buffer.concat(frames)
  }

  /** A comment, with the place to go on from: a reader without events can continue as well, and from where it is. */
  heartbeat(): Buffer {
    return Buffer.from(`: heartbeat\nid: ${idOf(this.position)}\n\n`)
  }

  /** Ends the stream, or the connection when it does not take what it was given. */
  end(): void {
    this.isEnded = true
    if (this.handedAt === undefined) this.wake?.()
    else this.drop()
  }

  /** Closes the connection. The reader can come back to where it was. */
  drop(): void {
    this.#request.interruptUnsafe()
  }
}
