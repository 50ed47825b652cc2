/** A request that was sent to the service, and what it answered: recorded by `pnpm record-examples`. */
export interface RecordedExchange {
  /** Of the example in the document. */
  readonly name: string
  /** What it shows. */
  readonly summary: string
  readonly request: {
    /** Method and URL as they were sent, without the host. */
    readonly line: string
    /** Of path, query and headers. */
    readonly parameters: Readonly<Record<string, string>>
    readonly mediaType?: string
    readonly body?: unknown
  }
  readonly response: {
    readonly status: number
    readonly mediaType: string
    readonly body: unknown
  }
}

/** Exchanges by the id of their operation; the first one is a success that shows the operation as it is meant. */
export type RecordedExamples = Readonly<Record<string, ReadonlyArray<RecordedExchange>>>
