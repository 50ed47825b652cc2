import { RegistryError } from "@launch-registry/client"
import { brand } from "../../brand.ts"
import { registry } from "../registry/Connection.ts"
import type { Wallet } from "../wallet/Wallet.ts"
import { buildLaunch } from "./BuildLaunch.ts"
import { DECIMALS } from "./Curve.ts"
import { type Build, type Draft, hasLanded, isLaunched, isUnderWay } from "./Draft.ts"
import { issuesOf } from "./Issues.ts"
import { landLaunch } from "./LandLaunch.ts"
import { adoptStored, changeDraft, discardDraft, launchShown, show, storedDraft } from "./LaunchStore.ts"
import { solOf } from "./SolAmount.ts"
import { sentDetails } from "./Uploads.ts"

const LOCK = "launch"
/** Lamports that names, links and priority fees make of a difference: not worth another look. */
const MORE_MAX = 1_000_000n

/** One at a time, of all tabs of this browser. */
const alone = async (work: () => Promise<void>): Promise<void> => {
  if (launchShown().activity !== undefined) return
  show({ activity: "Checking", failure: undefined, notice: undefined })
  const guarded = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      // Such as a wallet whose user refused; it says so in words.
      show({ notice: `Stopped: ${error instanceof Error ? error.message : String(error)}` })
    } finally {
      show({ activity: undefined })
    }
  }
  // Pages without TLS have no locks.
  if (!("locks" in navigator)) return guarded()
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock !== null) return guarded()
    show({ activity: undefined, notice: "Another tab of this browser is launching: go on there" })
  })
}

/** Whether another tab has launched meanwhile: then this one goes on with that. */
const isLaunchedElsewhere = (): boolean => {
  const stored = storedDraft()
  if (stored === undefined || !isUnderWay(stored)) return false
  adoptStored()
  return true
}

/** Registers the token; that it is registered already is as good. */
const register = async (build: Build): Promise<void> => {
  show({ activity: "Listing the token" })
  const { draft } = launchShown()
  const { imageUri: _imageUri, ...details } = sentDetails()
  const answer = await registry.tokens.create({
    body: {
      ...details,
      ...{ totalSupply: draft.figures.supply.trim(), decimals: DECIMALS, launchpad: brand.launchpad },
      ...{ mintAddress: build.mintAddress, owner: build.signer },
      ...(draft.metadataUri !== null && { tokenUri: draft.metadataUri }),
    },
  })
  if (answer.success || answer.code === "already_exists") changeDraft({ isRegistered: true })
  else show({ failure: new RegistryError(answer), issues: issuesOf(answer) ?? {} })
}

/** A configuration of this build that landed: the next build goes on with it. */
const landedConfig = ({ config: address, signer, steps }: Build): Partial<Draft> =>
  steps.some((step) => step.purposes.includes("config") && hasLanded(step))
    ? { config: { address, signer, figures: launchShown().draft.figures } }
    : {}

/** What cannot land any more: without its pool nothing was launched, and what follows the pool is left out. */
const giveUp = async (build: Build, why: string): Promise<void> => {
  const steps = build.steps.filter(hasLanded)
  if (steps.some(({ purposes }) => purposes.includes("pool"))) {
    changeDraft({ build: { ...build, steps } })
    show({ notice: `${why}. The token is launched without it` })
    return register(build)
  }
  changeDraft({ ...landedConfig(build), build: null })
  show({ costs: undefined, notice: `${why}. No token was launched: launch again, and sign at once` })
}

/**
 * Lands what has not landed, and registers the token. `wallet` signs; without one, only what was signed goes on. What follows a
 * configuration that has landed is built once more before it is signed.
 */
const proceed = async (wallet: Wallet | undefined, isFresh = false): Promise<void> => {
  const { build } = launchShown().draft
  if (build === null) return
  if (wallet !== undefined && wallet.address !== build.signer)
    return show({ notice: `This launch is of wallet ${build.signer}: connect that one to go on` })
  show({ activity: "Sign in your wallet", notice: undefined })
  const note: Parameters<typeof landLaunch>[2] = (index, known) => {
    const now = launchShown().draft.build ?? build
    const steps = now.steps.map((step, at) => (at === index ? { ...step, ...known } : step))
    changeDraft({ build: { ...now, steps } })
  }
  const landing = await landLaunch(build, wallet, note, isFresh)
  const { draft } = launchShown()
  const now = draft.build ?? build
  if (landing.outcome === "over") return giveUp(now, landing.why)
  if (landing.outcome === "unknown") return show({ failure: landing.failure })
  if (landing.outcome === "landed" && !draft.isRegistered) return register(now)
  if (landing.outcome !== "old" || wallet === undefined) return
  changeDraft(landedConfig(now))
  const ready = await buildLaunch(wallet)
  if (ready === undefined) return changeDraft({ build: null })
  show({ costs: ready.costs, activity: "Sign in your wallet" })
  changeDraft({ build: { ...ready.build, steps: [...now.steps.filter(hasLanded), ...ready.build.steps] } })
  await proceed(wallet, true)
}

/**
 * Builds the launch, and has the wallet sign it. `seenTotal` is what was shown that it costs, in lamports: where it costs more, that is shown
 * first.
 */
export const launch = (wallet: Wallet, seenTotal: string | undefined): Promise<void> =>
  alone(async () => {
    if (isLaunchedElsewhere()) return proceed(undefined)
    const ready = await buildLaunch(wallet)
    if (ready === undefined) return
    const { costs } = ready
    show({ costs })
    if (seenTotal === undefined)
      return show({ notice: `It costs ${solOf(costs.cost.total)} SOL: launch again to sign that` })
    if (BigInt(costs.cost.total) > BigInt(seenTotal) + MORE_MAX)
      return show({
        notice: `It costs ${solOf(costs.cost.total)} SOL by now, more than was shown: launch again to sign that`,
      })
    changeDraft({ build: ready.build })
    await proceed(wallet, true)
  })

/** Discards what was entered and what was built, once that was said. */
export const startAgain = (): void => {
  const { draft } = launchShown()
  const words = isUnderWay(draft)
    ? `What was sent can still land, and this page will not follow it any more. Its mint is ${draft.build?.mintAddress}. Start again?`
    : "What was entered here is discarded. Start again?"
  if (confirm(words)) discardDraft()
}

/** Goes on where a launch stopped. */
export const goOn = (wallet: Wallet | undefined): Promise<void> => alone(() => proceed(wallet))

/** After the page was opened again: goes on as far as nobody has to sign. */
export const goOnByItself = (): void => {
  const { draft } = launchShown()
  if (isUnderWay(draft) && !(isLaunched(draft) && draft.isRegistered)) void goOn(undefined)
}
