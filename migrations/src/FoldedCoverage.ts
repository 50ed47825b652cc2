/**
 * What is proven (`coverage`) counts once everything that was in the log at that time is in the tables: a condition on a row of
 * `coverage`, by its alias.
 */
export const isFolded = (alias: string): string =>
  `${alias}.log_offset <= (select coalesce(max(log_offset), 0) from cursors)`
