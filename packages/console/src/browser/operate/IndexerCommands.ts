import type { IndexerReport } from "./Reports.ts"

/** Something to be run in a shell. */
export interface Command {
  readonly purpose: string
  readonly text: string
}

const INDEXER = "node packages/indexer/src/main.ts"

/** What operators do where the service runs, with the slots of now: docs/operations.md, "Command line of the indexer". */
export const commandsFor = ({ deadLetters, gaps, poison }: IndexerReport): ReadonlyArray<Command> => [
  ...gaps.slice(0, 5).map(({ fromSlot, toSlot }) => ({
    purpose: `Prove the gap ${fromSlot} to ${toSlot}, and fetch what it lacks`,
    text: `${INDEXER} backfill ${fromSlot} ${toSlot}`,
  })),
  ...(deadLetters > 0
    ? [
        {
          purpose: "See what could not be decoded, and why",
          text: `psql "$DATABASE_URL" -c 'select slot, signature, reason from dead_letters order by log_offset desc limit 10'`,
        },
      ]
    : []),
  ...(poison > 0
    ? [
        {
          purpose: "See deliveries that could not be read, or were incomplete: reason and first bytes",
          text: `psql "$DATABASE_URL" -c "select received_at, source, reason, encode(substring(bytes from 1 for 200), 'escape') from inbox_poison order by received_at desc limit 10"`,
        },
      ]
    : []),
  { purpose: "Derive all tables again from the log, compare, and switch to them", text: `${INDEXER} replay` },
]
