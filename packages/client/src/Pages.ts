import type { CallOptions } from "./Call.ts"
import { answered } from "./RegistryError.ts"

type List = (request: never, options?: CallOptions) => Promise<{ readonly success: boolean }>

/** The successful answer of a call. */
export type AnswerOf<L extends List> = Exclude<Awaited<ReturnType<L>>, { readonly success: false }>
export type RequestOf<L extends List> = NonNullable<Parameters<L>[0]>

/** The rows of a page. */
export type ItemOf<Page> = Page extends { readonly data: ReadonlyArray<infer Item> }
  ? Item
  : Page extends { readonly transactions: ReadonlyArray<infer Item> }
    ? Item
    : never

/** What asks for the page after this one; undefined after the last. */
export const nextRequest = (request: object, page: object): object | undefined => {
  const { pagination } = page as { readonly pagination?: { readonly nextCursor: string | null } }
  const cursor = pagination?.nextCursor ?? null
  return cursor === null ? undefined : { ...request, cursor, offset: undefined }
}

export const itemsIn = <Page extends object>(page: Page): ReadonlyArray<ItemOf<Page>> => {
  const { data, transactions } = page as Record<string, ReadonlyArray<ItemOf<Page>> | undefined>
  return data ?? transactions ?? []
}

/** The pages of a list, to its end or until nobody reads on. Throws `RegistryError` for a refusal. */
export async function* pagesOf<L extends List>(
  list: L,
  request: RequestOf<L>,
  options?: CallOptions,
): AsyncGenerator<AnswerOf<L>, void> {
  let next: object | undefined = request as object
  while (next !== undefined) {
    const page = answered(await list(next as never, options)) as AnswerOf<L>
    yield page
    next = nextRequest(request as object, page)
  }
}

/** The rows of a list, page by page. */
export async function* itemsOf<L extends List>(
  list: L,
  request: RequestOf<L>,
  options?: CallOptions,
): AsyncGenerator<ItemOf<AnswerOf<L>>, void> {
  for await (const page of pagesOf(list, request, options)) yield* itemsIn(page)
}
