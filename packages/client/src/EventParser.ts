/** An event of a stream of server-sent events. */
export interface ParsedEvent {
  readonly event: string
  readonly data: string
  /** As its block says it; `undefined` where it says none. */
  readonly id: string | undefined
}

/** What a piece of text completes. */
export interface Parsed {
  readonly events: ReadonlyArray<ParsedEvent>
  /** The last id so far, which a heartbeat has too; `undefined` before the first. */
  readonly lastId: string | undefined
}

/** Longer lines are no events of this service. */
const LINE_MAX = 1_000_000

/** Parses text/event-stream piece by piece, wherever the pieces are cut. Throws for a line without end. */
export const eventParser = (): ((text: string) => Parsed) => {
  let rest = ""
  let event = ""
  let data: Array<string> = []
  let id: string | undefined
  let lastId: string | undefined
  return (text) => {
    const events: Array<ParsedEvent> = []
    rest += text
    // The end of a line can be in the next piece.
    const isCut = rest.endsWith("\r")
    const lines = (isCut ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/)
    rest = lines.pop()! + (isCut ? "\r" : "")
    if (rest.length > LINE_MAX) throw new Error("The stream has a line without end")
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) events.push({ event: event === "" ? "message" : event, data: data.join("\n"), id })
        // Only now: a stream that breaks within a block is resumed before it.
        lastId = id ?? lastId
        event = ""
        data = []
        id = undefined
        continue
      }
      const colon = line.indexOf(":")
      if (colon === 0) continue
      const name = colon === -1 ? line : line.slice(0, colon)
      const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "")
      if (name === "event") event = value
      else if (name === "data") data.push(value)
      else if (name === "id" && !value.includes("\0")) id = value
    }
    return { events, lastId }
  }
}
