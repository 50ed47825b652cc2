import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { type MediaRange, mediaRangesOf } from "@launch-registry/http/answers/AcceptHeader"

/** How content is answered: as the file, as the file if it is JSON, as its root block, or as a CAR. */
export type ResponseFormat = { readonly kind: "file" | "json" | "raw" } | CarFormat

export interface CarFormat {
  readonly kind: "car"
  readonly dups: boolean
  /** Parameters given by the Accept header and not by the query, by their query names. */
  readonly fromAccept: Readonly<Record<string, string>>
}

/** Supported formats by preference; `refused` names what was requested. */
export interface Wanted {
  readonly formats: ReadonlyArray<ResponseFormat>
  readonly refused: string
}

/** The alternatives that a 406 answer lists. */
export const OFFERED_FORMATS = ["application/vnd.ipld.raw", "application/vnd.ipld.car"]

const FILE: ResponseFormat = { kind: "file" }

/** Formats of IPFS gateways by query name. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  raw: "application/vnd.ipld.raw",
  car: "application/vnd.ipld.car",
  json: "application/json",
  cbor: "application/cbor",
  tar: "application/x-tar",
  "dag-json": "application/vnd.ipld.dag-json",
  "dag-cbor": "application/vnd.ipld.dag-cbor",
  "ipns-record": "application/vnd.ipfs.ipns-record",
}
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(MEDIA_TYPES).map(([name, type]) => [type, name]))

/** Parameters of a CAR and their supported values. Blocks always come depth first, which satisfies `unk` as well. */
const CAR_PARAMS: Readonly<Record<string, ReadonlyArray<string>>> = {
  version: ["1"],
  order: ["dfs", "unk"],
  dups: ["y", "n"],
}

/**
 * The formats that a request accepts (IPIP-523, IPIP-412): `format` and the CAR parameters of the query take precedence over
 * Accept. `issues` if the query is invalid.
 */
export const wantedFormats = (
  query: URLSearchParams,
  accept: string | undefined,
): Wanted | { readonly issues: ReadonlyArray<InvalidIssue> } => {
  const ranges = accept === undefined ? [] : mediaRangesOf(accept)
  const name = query.get("format") ?? ""
  if (name === "") return { formats: fromAccept(query, accept, ranges), refused: accept ?? "" }
  const type = Object.hasOwn(MEDIA_TYPES, name) ? MEDIA_TYPES[name] : undefined
  if (type === undefined)
    return { issues: [{ path: "query.format", message: `expected one of ${Object.keys(MEDIA_TYPES).join(", ")}` }] }
  const ofSameType = ranges.filter((range) => range.type === type)
  const cars = ofSameType.length === 0 ? [{ type, params: new Map(), quality: 1 }] : ofSameType
  const formats =
    name === "raw" || name === "json" ? [{ kind: name } as const] : name === "car" ? carsOf(query, cars) : []
  return { formats, refused: type }
}

/** Invalid CAR parameters of a query. */
export const carParamIssues = (query: URLSearchParams): ReadonlyArray<InvalidIssue> =>
  Object.entries(CAR_PARAMS).flatMap(([param, values]) => {
    const value = query.get(`car-${param}`)
    return value === null || values.includes(value)
      ? []
      : [{ path: `query.car-${param}`, message: `expected ${values.join(" or ")}` }]
  })

const fromAccept = (
  query: URLSearchParams,
  accept: string | undefined,
  ranges: ReadonlyArray<MediaRange>,
): ReadonlyArray<ResponseFormat> => {
  if (accept === undefined || accept.trim() === "") return [FILE]
  // At equal quality, an IPFS format precedes the types that every browser sends.
  const ordered = ranges.toSorted((left, right) => right.quality - left.quality || rank(left) - rank(right))
  return ordered.flatMap((range): ReadonlyArray<ResponseFormat> => {
    const name = NAMES.get(range.type)
    if (name === undefined) return [FILE]
    if (name === "car") return carsOf(query, [range])
    return name === "raw" || name === "json" ? [{ kind: name }] : []
  })
}

const rank = ({ type }: MediaRange): number => (NAMES.has(type) && type !== MEDIA_TYPES.json ? 0 : 1)

/** The supported CARs of an Accept header; parameters of the query take precedence. */
const carsOf = (query: URLSearchParams, ranges: ReadonlyArray<MediaRange>): ReadonlyArray<ResponseFormat> =>
  ranges.flatMap(({ params }): ReadonlyArray<ResponseFormat> => {
    const fromAccept: Record<string, string> = {}
    for (const [param, values] of Object.entries(CAR_PARAMS)) {
      const value = params.get(param)
      if (value === undefined || query.has(`car-${param}`)) continue
      if (!values.includes(value)) return []
      fromAccept[`car-${param}`] = value
    }
    return [{ kind: "car", dups: (query.get("car-dups") ?? fromAccept["car-dups"]) === "y", fromAccept }]
  })
