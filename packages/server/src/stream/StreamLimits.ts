/** Limits of the stream of one process. */
export interface StreamLimits {
  readonly subscribersMax: number
  /** Interval of looks for commits where these do not notify. */
  readonly pollMillis: number
  /** Interval of reads of followed submissions. */
  readonly submissionMillis: number
  /** Interval of reads of followed markets. */
  readonly marketMillis: number
  readonly heartbeatMillis: number
  /** A connection that is not drained for this long is closed. */
  readonly stallMillis: number
  /** Size of the buffer of recent commits: the maximum lag of a reader. */
  readonly recentCharactersMax: number
}

export const STREAM_LIMITS: StreamLimits = {
  subscribersMax: 10_000,
  pollMillis: 100,
  submissionMillis: 250,
  marketMillis: 1_000,
  heartbeatMillis: 15_000,
  stallMillis: 30_000,
  recentCharactersMax: 8_000_000,
}
