/**
 * SQL condition on a row of `coverage`, by alias: a proof counts once everything that was in the log at its time is
 * indexed.
 */
export const isFolded = (alias: string): string =>
  `${alias}.log_offset <= (select coalesce(max(log_offset), 0) from cursors)`
