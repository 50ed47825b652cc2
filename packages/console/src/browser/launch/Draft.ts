/**
 * What the screen remembers of a launch in this browser: what was entered, what was uploaded, and what was built and submitted. No keys:
 * the service signs with those of the mint and the configuration when it builds, and the answer's key of the configuration is not kept.
 */
import { PRESET_IDS } from "./CurvePresets.ts"
import { type CurveId, OWN_FIGURES, type OwnFigures } from "./OwnCurve.ts"

/** Another one is not read: what it means is not known. */
export const DRAFT_VERSION = 1

/** What is entered about the token. */
export interface Details {
  readonly name: string
  readonly symbol: string
  readonly description: string
  readonly website: string
  readonly twitter: string
  readonly telegram: string
}

/** The uploaded image. */
export interface Picture {
  readonly uri: string
  readonly cid: string
  readonly contentType: string
  /** Bytes that are stored. */
  readonly size: number
  /** Bytes of the file that was chosen: what is more was stripped. */
  readonly fileSize: number
  /** A data URL. */
  readonly preview: string
}

/** A transaction that was built. Without the wallet's signature it lands nowhere. */
export interface BuiltStep {
  /** Base64. */
  readonly transaction: string
  readonly purposes: ReadonlyArray<string>
  /** Base58, from before it is submitted on; null while the wallet has not signed. */
  readonly signature: string | null
  /** State of its submission; null where none is known. */
  readonly state: string | null
}

/** A launch that was built for a wallet. */
export interface Build {
  readonly signer: string
  readonly config: string
  readonly mintAddress: string
  readonly lastValidBlockHeight: string
  readonly steps: ReadonlyArray<BuiltStep>
}

/** A configuration that landed without its pool: the next build goes on with it. */
export interface LandedConfig {
  readonly address: string
  readonly signer: string
  /** By `curveKey`. */
  readonly curve: string
}

export const PRIORITIES = ["default", "none", "low", "medium", "high"] as const
export type Priority = (typeof PRIORITIES)[number]

export interface Draft {
  readonly version: typeof DRAFT_VERSION
  readonly details: Details
  readonly picture: Picture | null
  /** Of the document with these details and this picture; null once they change. */
  readonly metadataUri: string | null
  readonly curve: CurveId
  readonly own: OwnFigures
  /** SOL, as entered; empty: none. */
  readonly firstBuy: string
  readonly priority: Priority
  /** Whether name, website and image of the pool are published on the chain as well. */
  readonly poolMetadata: boolean
  readonly config: LandedConfig | null
  /** The launch that the wallet was asked to sign; null before. */
  readonly build: Build | null
  readonly isRegistered: boolean
}

export const EMPTY_DRAFT: Draft = {
  version: DRAFT_VERSION,
  details: { name: "", symbol: "", description: "", website: "", twitter: "", telegram: "" },
  ...{ picture: null, metadataUri: null, curve: "standard", own: OWN_FIGURES },
  ...{ firstBuy: "", priority: "default", poolMetadata: false },
  ...{ config: null, build: null, isRegistered: false },
}

/** Whether something of it may be on its way to the chain, so that nothing else may be built. */
export const isUnderWay = ({ build }: Draft): boolean =>
  build?.steps.some(({ signature }) => signature !== null) === true

const LANDED: ReadonlyArray<string | null> = ["confirmed", "finalized"]
export const hasLanded = ({ state }: BuiltStep): boolean => LANDED.includes(state)
export const isLaunched = ({ build }: Draft): boolean => build !== null && build.steps.every(hasLanded)

type Check = (value: unknown) => boolean
const TEXT_MAX = 200_000
const isText: Check = (value) => typeof value === "string" && value.length <= TEXT_MAX
const isSize: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isOneOf =
  (values: ReadonlyArray<unknown>): Check =>
  (value) =>
    values.includes(value)
const isNullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= 8 && value.every(check)
const isShape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(checks).every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]))

const isDraft = isShape({
  version: isOneOf([DRAFT_VERSION]),
  details: isShape({
    ...{ name: isText, symbol: isText, description: isText },
    ...{ website: isText, twitter: isText, telegram: isText },
  }),
  picture: isNullOr(
    isShape({
      ...{ uri: isText, cid: isText, contentType: isText, size: isSize, fileSize: isSize },
      preview: (value) => isText(value) && /^(data:image\/|$)/.test(value as string),
    }),
  ),
  metadataUri: isNullOr(isText),
  curve: isOneOf([...PRESET_IDS, "own"]),
  own: isShape({ supply: isText, startMarketCap: isText, migrationMarketCap: isText, fee: isText }),
  firstBuy: isText,
  priority: isOneOf(PRIORITIES),
  poolMetadata: isOneOf([true, false]),
  config: isNullOr(isShape({ address: isText, signer: isText, curve: isText })),
  build: isNullOr(
    isShape({
      ...{ signer: isText, config: isText, mintAddress: isText, lastValidBlockHeight: isText },
      steps: isListOf(
        isShape({
          ...{ transaction: isText, purposes: isListOf(isText) },
          ...{ signature: isNullOr(isText), state: isNullOr(isText) },
        }),
      ),
    }),
  ),
  isRegistered: isOneOf([true, false]),
})

/** The draft in stored text; `undefined` where it is none of this version. */
export const readDraft = (text: string | null): Draft | undefined => {
  if (text === null) return undefined
  try {
    // What an earlier console did not store.
    const value: unknown = { own: EMPTY_DRAFT.own, poolMetadata: EMPTY_DRAFT.poolMetadata, ...JSON.parse(text) }
    return isDraft(value) ? (value as Draft) : undefined
  } catch {
    return undefined
  }
}
