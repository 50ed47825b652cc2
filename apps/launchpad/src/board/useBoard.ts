import type { RegistryError, StreamEvent } from "@launch-registry/client"
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query"
import { useEffect, useLayoutEffect, useMemo, useState } from "react"
import { follow } from "../registry/Follow.ts"
import { type BoardList, type BoardView, readList } from "./BoardList.ts"
import { boardRows, ROWS_MAX } from "./BoardRows.ts"
import { useLive } from "./Live.ts"

/** Figures of 24 hours are not streamed. */
const READ_EVERY_MILLIS = 30_000
/** Soon enough for what events leave out, and seldom enough where many of them do. */
const READ_AFTER_MILLIS = 2_000
const EVENTS = ["token", "trade", "graduation", "revert"]

const rowsOf = (pages: ReadonlyArray<BoardList>) => pages.flatMap(({ rows }) => rows)

/** A view of the board, read page by page and followed. */
export const useBoard = (view: BoardView) => {
  const board = useMemo(() => boardRows(view), [view])
  const [isLive, setLive] = useState(false)
  const { data, error, fetchNextPage, hasNextPage, isPending, refetch } = useInfiniteQuery<
    BoardList,
    RegistryError,
    InfiniteData<BoardList>,
    ReadonlyArray<string>,
    string | undefined
  >({
    queryKey: ["board", view],
    queryFn: ({ pageParam, signal }) => readList(view, pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }, pages) => (rowsOf(pages).length < ROWS_MAX ? nextCursor : undefined),
    refetchInterval: READ_EVERY_MILLIS,
    retry: false,
  })
  useLayoutEffect(() => {
    if (data !== undefined) board.list(rowsOf(data.pages))
  }, [board, data])
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const readSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refetch({ cancelRefetch: false })
      }, READ_AFTER_MILLIS)
    }
    const onEvent = (event: StreamEvent): void => {
      if (board.event(event)) readSoon()
    }
    const onState = (isOpen: boolean): void => {
      // What happened before the stream began, or while it was cut for good, is read.
      if (isOpen) readSoon()
      setLive(isOpen)
    }
    void follow(EVENTS, { onEvent, onState }, ended.signal)
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [board, refetch])
  return {
    ...{ error, hasNextPage, isLive, isPending, rows: useLive(board.shown) },
    more: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}
