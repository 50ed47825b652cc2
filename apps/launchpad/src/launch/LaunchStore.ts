import type { BuiltLaunch, RegistryError } from "@launch-registry/client"
import { useSyncExternalStore } from "react"
import { readStored, store } from "../Stored.ts"
import { type Draft, EMPTY_DRAFT, isUnderWay, readDraft } from "./Draft.ts"
import type { Issues } from "./Issues.ts"
import type { ChosenImage } from "./SquareImage.ts"

/** What is done at the moment, in words. */
export type Activity =
  | "Checking"
  | "Uploading the image"
  | "Storing the metadata"
  | "Building the transactions"
  | "Sign in your wallet"
  | "Listing the token"

/** What a launch costs, as the builder answered; nothing of it is stored. */
export type Costs = Pick<BuiltLaunch, "cost" | "quote" | "wallet"> & { readonly signer: string }

/** What the page shows. It lives as long as the page, so that other pages can be looked at meanwhile. */
export interface LaunchShown {
  readonly draft: Draft
  /** Whether this browser keeps the draft. */
  readonly isKept: boolean
  /** The image, while this page has its file. */
  readonly chosen: ChosenImage | undefined
  readonly activity: Activity | undefined
  readonly failure: RegistryError | undefined
  readonly issues: Issues
  /** Of the launch that was built last, while nothing was changed. */
  readonly costs: Costs | undefined
  /** What happened, and what to do now. */
  readonly notice: string | undefined
}

const STORED = "launchpad launch"

/** The draft that this browser has, also of another tab. */
export const storedDraft = (): Draft | undefined => readDraft(readStored(STORED))

const keep = (draft: Draft): boolean => store(STORED, draft === EMPTY_DRAFT ? undefined : JSON.stringify(draft))

const NOTHING = { chosen: undefined, costs: undefined, failure: undefined, issues: {}, notice: undefined }

let shown: LaunchShown = { ...NOTHING, activity: undefined, draft: storedDraft() ?? EMPTY_DRAFT, isKept: true }
const listeners = new Set<() => void>()

export const launchShown = (): LaunchShown => shown

const change = (differences: Partial<LaunchShown>): void => {
  shown = { ...shown, ...differences }
  for (const listener of listeners) listener()
}

export const show: (differences: Partial<Omit<LaunchShown, "draft" | "isKept">>) => void = change

/** Changes the draft, and stores it before anything else happens. */
export const changeDraft = (differences: Partial<Draft>): void => {
  const draft = { ...shown.draft, ...differences }
  change({ draft, isKept: keep(draft) })
}

/** Goes on with what another tab has stored. */
export const adoptStored = (): void =>
  change({ draft: storedDraft() ?? EMPTY_DRAFT, chosen: undefined, costs: undefined })

/**
 * What the user changes in these fields of the form: it costs something else now, and what was wrong with them is over. Where another tab has
 * launched meanwhile, this one goes on with that.
 */
export const editDraft = (differences: Partial<Draft>, fields: ReadonlyArray<string> = []): void => {
  const stored = storedDraft()
  if (stored !== undefined && isUnderWay(stored)) return adoptStored()
  const issues = Object.entries(shown.issues).filter(([field]) => field !== "" && !fields.includes(field))
  show({ costs: undefined, notice: undefined, issues: Object.fromEntries(issues) })
  changeDraft(differences)
}

export const discardDraft = (): void =>
  change({ ...NOTHING, activity: undefined, draft: EMPTY_DRAFT, isKept: keep(EMPTY_DRAFT) })

// Where two tabs edit, the last word is that of the one that was edited last; while this one works it is its own.
addEventListener("storage", ({ key }) => {
  if (key === STORED && shown.activity === undefined) adoptStored()
})

const subscribe = (onChange: () => void): (() => void) => {
  listeners.add(onChange)
  return () => void listeners.delete(onChange)
}

export const useLaunch = (): LaunchShown => useSyncExternalStore(subscribe, launchShown)
