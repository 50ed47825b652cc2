import { RegistryError, type StreamEvent } from "@launch-registry/client"
import { follow } from "../registry/Follow.ts"
import { type BoardList, readList } from "./BoardList.ts"
import {
  type BoardEvent,
  type BoardState,
  type BoardView,
  EMPTY_BOARD,
  readingDue,
  type Row,
  ROWS_MAX,
  withEvents,
  withList,
} from "./BoardState.ts"

/** What a board shows besides its rows. */
export interface BoardShown {
  readonly board: BoardState
  readonly isLoading: boolean
  readonly failure: RegistryError | undefined
  readonly isLive: boolean
  readonly nextCursor: string | null
}

/** What a board shows before it has read anything. */
export const NOTHING_SHOWN: BoardShown = {
  ...{ board: EMPTY_BOARD, isLoading: true, failure: undefined, isLive: false, nextCursor: null },
}

/** Figures of 24 hours are not streamed. */
const READ_EVERY_MILLIS = 30_000
const READ_SOON_MILLIS = 1_500
const READ_LATER_MILLIS = 5_000
/** Nobody reads figures that change more often, and drawing hundreds of rows is what a live board costs. */
const DRAW_MILLIS = 500
/** More than a hidden page should keep: then the list is read again. */
const EVENTS_MAX = 5_000

/** A board that follows the stream until it is stopped. */
export interface LiveBoard {
  readonly more: () => void
  readonly retry: () => void
  readonly stop: () => void
}

/** Reads a view and follows it. `show` is called twice a second at most, in a frame. */
export const liveBoard = (view: BoardView, show: (shown: BoardShown) => void): LiveBoard => {
  const ended = new AbortController()
  let shown = NOTHING_SHOWN
  let events: Array<BoardEvent> = []
  let frame: number | undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  let drawnAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let isReadingAgain = false
  let furtherPages = 0

  const draw = (): void => {
    frame = undefined
    drawnAt = Date.now()
    if (ended.signal.aborted) return
    const taken = events
    events = []
    const due = readingDue(shown.board, view, taken)
    if (due !== undefined) readIn(due === "soon" ? READ_SOON_MILLIS : READ_LATER_MILLIS)
    shown = { ...shown, board: withEvents(shown.board, view, taken) }
    show(shown)
  }
  const drawSoon = (): void => {
    if (frame !== undefined || pause !== undefined) return
    const wait = drawnAt + DRAW_MILLIS - Date.now()
    if (wait <= 0) return void (frame = requestAnimationFrame(draw))
    pause = setTimeout(() => {
      pause = undefined
      frame = requestAnimationFrame(draw)
    }, wait)
  }
  /** What was read, or the state of the connection: not as often as events, so it does not wait behind them. */
  const change = (differences: Partial<BoardShown>): void => {
    shown = { ...shown, ...differences }
    clearTimeout(pause)
    pause = undefined
    frame ??= requestAnimationFrame(draw)
  }

  let dueAt = 0
  const readIn = (millis: number): void => {
    const at = Date.now() + millis
    if (timer !== undefined && dueAt <= at) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => {
      timer = undefined
      void readAll()
    }, millis)
  }

  /** Reads the first page and those that were asked for after it. */
  const readAll = async (): Promise<void> => {
    if (isReading) return void (isReadingAgain = true)
    isReading = true
    try {
      let nextCursor: string | null = null
      const rows: Array<Row> = []
      for (let page = 0; page <= furtherPages; page++) {
        const answer: BoardList = await readList(view, nextCursor ?? undefined, ended.signal)
        rows.push(...answer.rows)
        nextCursor = answer.nextCursor
        if (nextCursor === null) break
      }
      const board = withList(shown.board, rows)
      if (board.order.length >= ROWS_MAX) nextCursor = null
      change({ board, nextCursor, isLoading: false, failure: undefined })
    } catch (error) {
      if (ended.signal.aborted) return
      if (!(error instanceof RegistryError)) throw error
      change({ isLoading: false, failure: error })
    } finally {
      isReading = false
    }
    readIn(isReadingAgain ? READ_SOON_MILLIS : READ_EVERY_MILLIS)
    isReadingAgain = false
  }

  const onEvent = ({ data, event }: StreamEvent): void => {
    if (event === "reset") return readIn(0)
    if (events.length >= EVENTS_MAX) {
      events = []
      readIn(0)
    }
    events.push({ ...data, type: event } as BoardEvent)
    drawSoon()
  }
  const onState = (isLive: boolean): void => {
    // What happened before the stream began, or while it was cut for good, is read.
    if (isLive && !shown.isLive) readIn(READ_SOON_MILLIS)
    change({ isLive })
  }
  void follow(["token", "trade", "graduation", "revert"], { onEvent, onState }, ended.signal)
  void readAll()
  return {
    more: () => {
      furtherPages += 1
      readIn(0)
    },
    retry: () => {
      change({ isLoading: true, failure: undefined })
      readIn(0)
    },
    stop: () => {
      ended.abort()
      clearTimeout(timer)
      clearTimeout(pause)
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
