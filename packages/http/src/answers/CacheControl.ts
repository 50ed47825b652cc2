/**
 * What caches may do with answers. An answer that says nothing about it is not stored: `RequestEdge` adds that, because a
 * cache may keep even a 404 for as long as it likes.
 */

/** Nothing is kept: live readings, errors, and what is meant for one caller. */
export const NOT_STORED = "no-store"

/** Kept, and asked for again each time it is used, so that whoever wrote reads what was written. */
export const REVALIDATED = "no-cache"

/** Never changes. Not for longer, because a fork can take back the launch that the answer is about. */
export const IMMUTABLE = "public, max-age=86400, immutable"

/** The service itself would answer the same for so many seconds. */
export const sameFor = (seconds: number): string =>
  seconds >= 1 ? `public, max-age=${Math.floor(seconds)}` : REVALIDATED

/** Shared caches spare the service for so many seconds; clients ask each time. */
export const sharedFor = (seconds: number): string => `public, max-age=0, s-maxage=${seconds}`
