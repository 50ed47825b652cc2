import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import { createContext, createElement, type ReactNode, useContext, useEffect, useRef, useState } from "react"
import type { CallOptions } from "./Call.ts"
import type { Registry, StreamEvent } from "./Client.ts"
import type { ChangesRequest } from "./generated/Contract.ts"
import { land, type LandOptions, type ToLand } from "./Land.ts"
import { itemsIn, type ItemOf, nextRequest } from "./Pages.ts"
import { answered, type RegistryError } from "./RegistryError.ts"

/** An operation of a registry. */
type Chosen<Request, Answer> = (registry: Registry) => {
  (request: Request, options?: CallOptions): Promise<Answer>
  readonly operation: string
}

interface Enveloped {
  readonly success: boolean
}

type Successful<Answer> = Exclude<Answer, { readonly success: false }>

/** Options of TanStack Query that reads may be given. Retries are the client's own. */
export interface ReadOptions {
  readonly enabled?: boolean
  /** Milliseconds. */
  readonly staleTime?: number
  /** Milliseconds. */
  readonly refetchInterval?: number
}

const RegistryContext = createContext<Registry | undefined>(undefined)

/** Gives the registry to the hooks below it. TanStack's `QueryClientProvider` has to be above them too. */
export const RegistryProvider = ({
  children,
  registry,
}: {
  readonly registry: Registry
  readonly children?: ReactNode
}) => createElement(RegistryContext.Provider, { value: registry }, children)

export const useRegistry = (): Registry => {
  const registry = useContext(RegistryContext)
  if (registry === undefined) throw new Error("There is no RegistryProvider above this component")
  return registry
}

/** What an operation answers; `error` is a `RegistryError` for a refusal. */
export const useAnswer = <Request, Answer extends Enveloped>(
  choose: Chosen<Request, Answer>,
  request: NoInfer<Request>,
  options: ReadOptions = {},
) => {
  const call = choose(useRegistry())
  return useQuery<Successful<Answer>, RegistryError>({
    ...options,
    queryKey: [call.operation, request],
    queryFn: async ({ signal }) => answered(await call(request, { signal })),
    retry: false,
  })
}

/** The rows of a list, page by page: `fetchNextPage` adds those of the next. */
export const useItems = <Request, Answer extends Enveloped>(
  choose: Chosen<Request, Answer>,
  request: NoInfer<Request>,
  options: ReadOptions = {},
) => {
  const call = choose(useRegistry())
  type Rows = ReadonlyArray<ItemOf<Successful<Answer>>>
  return useInfiniteQuery<Successful<Answer>, RegistryError, Rows, ReadonlyArray<unknown>, unknown>({
    ...options,
    queryKey: [call.operation, request, "pages"],
    initialPageParam: request,
    queryFn: async ({ pageParam, signal }) => answered(await call(pageParam as Request, { signal })),
    getNextPageParam: (page) => nextRequest(request as object, page),
    select: ({ pages }) => pages.flatMap((page) => itemsIn(page)),
    retry: false,
  })
}

/** Calls `onEvent` with the events of the stream while the component is there; says whether it is connected, or why it cannot be. */
export const useEvents = (filter: ChangesRequest, onEvent: (event: StreamEvent) => void) => {
  const { stream } = useRegistry()
  const [state, setState] = useState<{ readonly isOpen: boolean; readonly error?: unknown }>({ isOpen: false })
  const newest = useRef(onEvent)
  useEffect(() => {
    newest.current = onEvent
  })
  const key = JSON.stringify(filter)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const onConnection = (isOpen: boolean) => {
      if (!signal.aborted) setState({ isOpen })
    }
    const follow = async () => {
      for await (const event of stream.changes(JSON.parse(key), { signal, onConnection })) newest.current(event)
    }
    follow().catch((error: unknown) => {
      if (!signal.aborted) setState({ isOpen: false, error })
    })
    return () => leaving.abort()
  }, [key, stream])
  return state
}

/** What `useLand` is called with. */
export interface Landing extends LandOptions {
  readonly transactions: ToLand | ReadonlyArray<ToLand>
}

/** Has transactions signed and lands them. A result that did not land is `data` too: its `code` says why. */
export const useLand = () => {
  const registry = useRegistry()
  return useMutation({ mutationFn: ({ transactions, ...options }: Landing) => land(registry, transactions, options) })
}
