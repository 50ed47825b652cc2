import { declaredDocument } from "../../fixtures/OpenApiExamples.ts"
import { sampleAddress } from "../Samples.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly example?: unknown
}

interface Operation {
  readonly parameters?: ReadonlyArray<Parameter>
}

const { paths } = declaredDocument as {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
}

/** A request for every `GET` below `/api` that ends by itself: with what its parameters name as an example, or an address that nothing has. */
export const allOperations: ReadonlyArray<string> = Object.entries(paths).flatMap(([path, { get }]) => {
  if (get === undefined || !path.startsWith("/api/") || path === "/api/stream") return []
  const given = get.parameters ?? []
  const valueOf = ({ example }: Parameter): string => encodeURIComponent(String(example ?? sampleAddress()))
  const query = given
    .filter((one) => one.in === "query" && one.required === true)
    .map((one) => `${one.name}=${valueOf(one)}`)
    .join("&")
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(given.find((one) => one.name === name)!))
  return [query === "" ? filled : `${filled}?${query}`]
})
