import type { Row } from "./BoardState.ts"

/** The newest launches, as the page was rendered with them. */
export interface FirstList {
  readonly rows: ReadonlyArray<Row>
  /** When they were read, in milliseconds since 1970. */
  readonly readAt: number
}
