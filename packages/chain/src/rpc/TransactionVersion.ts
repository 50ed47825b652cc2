/**
 * The highest version of transactions that is read here, as nodes are told: of a newer one they answer -32015 instead of its
 * contents, and of its block nothing at all.
 */
export const TRANSACTION_VERSION_MAX = 1

/** What nodes answer for one of a newer version. */
export const UNSUPPORTED_VERSION = -32015
