import type { CallOptions } from "./Call.ts"
import { answered, type Refusal } from "./RegistryError.ts"

interface Paged {
  readonly success: true
  readonly pagination?: { readonly nextCursor: string | null }
}

type List<Request> = (request: Request, options?: CallOptions) => Promise<Paged | Refusal>

type PageOf<L extends List<never>> = Exclude<Awaited<ReturnType<L>>, { readonly success: false }>
type RequestOf<L extends List<never>> = NonNullable<Parameters<L>[0]>

/** The pages of a list, to its end or until nobody reads on. Throws `RegistryError` for a refusal. */
export async function* pagesOf<L extends List<never>>(
  list: L,
  request: RequestOf<L>,
  options?: CallOptions,
): AsyncGenerator<PageOf<L>, void> {
  let next: unknown = request
  for (;;) {
    const page = answered(await list(next as never, options)) as PageOf<L>
    yield page
    const cursor = page.pagination?.nextCursor ?? null
    if (cursor === null) return
    next = { ...(request as object), cursor, offset: undefined }
  }
}

type ItemOf<Page> = Page extends { readonly data: ReadonlyArray<infer Item> }
  ? Item
  : Page extends { readonly transactions: ReadonlyArray<infer Item> }
    ? Item
    : never

/** The rows of a list, page by page. */
export async function* itemsOf<L extends List<never>>(
  list: L,
  request: RequestOf<L>,
  options?: CallOptions,
): AsyncGenerator<ItemOf<PageOf<L>>, void> {
  for await (const page of pagesOf(list, request, options)) {
    const { data, transactions } = page as unknown as Record<string, ReadonlyArray<ItemOf<PageOf<L>>> | undefined>
    yield* data ?? transactions ?? []
  }
}
