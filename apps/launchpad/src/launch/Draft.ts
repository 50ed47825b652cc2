/**
 * What this browser remembers of a launch: what was entered, what was uploaded, and what was built and submitted. No keys: the registry signs
 * with those of the mint and the configuration when it builds, and the answer's key of the configuration is not kept.
 */
import { type CurveFigures, STANDARD } from "./CurveFigures.ts"

/** Raised with each change of what is stored: another one is not read. */
const DRAFT_VERSION = 2

export const LINKS = ["website", "twitter", "telegram"] as const
export type LinkKind = (typeof LINKS)[number]

/** What is entered about the token. */
export type Details = Readonly<Record<"name" | "symbol" | "description" | LinkKind, string>>

export interface Picture {
  /** Null until this square of the image is uploaded. */
  readonly uri: string | null
  /** A data URL. */
  readonly preview: string
}

/** A transaction that was built. */
export interface BuiltStep {
  /** Base64; signed once there is a signature. */
  readonly transaction: string
  readonly purposes: ReadonlyArray<string>
  /** Base58; null while the wallet has not signed. */
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
  readonly figures: CurveFigures
}

export type Priority = "default" | "none" | "low" | "medium" | "high"

export interface Draft {
  readonly version: typeof DRAFT_VERSION
  readonly details: Details
  readonly picture: Picture | null
  /** Of the document with these details and this picture; null once they change. */
  readonly metadataUri: string | null
  readonly figures: CurveFigures
  /** SOL, as entered; empty: none. */
  readonly firstBuy: string
  readonly priority: Priority
  /** Whether name, website and image are published with the pool, too. */
  readonly poolMetadata: boolean
  readonly config: LandedConfig | null
  /** The launch that the wallet was asked to sign; null before. */
  readonly build: Build | null
  readonly isRegistered: boolean
}

export const EMPTY_DRAFT: Draft = {
  version: DRAFT_VERSION,
  details: { name: "", symbol: "", description: "", website: "", twitter: "", telegram: "" },
  ...{ picture: null, metadataUri: null, figures: STANDARD, firstBuy: "", priority: "default", poolMetadata: false },
  ...{ config: null, build: null, isRegistered: false },
}

/** Whether something of it may be on its way to the chain, so that nothing else may be built. */
export const isUnderWay = ({ build }: Draft): boolean =>
  build?.steps.some(({ signature }) => signature !== null) === true

const LANDED: ReadonlyArray<string | null> = ["confirmed", "finalized"]
export const hasLanded = ({ state }: BuiltStep): boolean => LANDED.includes(state)
export const isLaunched = ({ build }: Draft): boolean => build !== null && build.steps.every(hasLanded)

/** The draft in stored text; `undefined` where it is none of this version. */
export const readDraft = (text: string | null): Draft | undefined => {
  try {
    const draft = JSON.parse(text ?? "") as Draft | null
    if (draft?.version !== DRAFT_VERSION) return undefined
    // The file was of the page that is gone.
    return draft.picture?.uri === null ? { ...draft, picture: null } : draft
  } catch {
    return undefined
  }
}
