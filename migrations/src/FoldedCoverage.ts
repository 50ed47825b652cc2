/**
 * SQL condition on a row of `coverage`, by alias: a proof counts once everything that was in the log at its time is
 * indexed.
 */
export const isFolded = (alias: string): string => `${alias}.log_offset <= (select log_offset from indexer_progress)`
