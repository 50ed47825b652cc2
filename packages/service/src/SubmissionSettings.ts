import { BUILDER_PROGRAMS } from "@launch-registry/chain/submissions/BuilderPrograms"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import type { Fault } from "./WholeSetting.ts"

/** What is sent for callers. */
export interface SubmissionSettings {
  /** The only programs whose instructions are sent; all where absent. */
  readonly programs: ReadonlySet<string> | undefined
}

const PROGRAMS_MAX = 100
/** Stands for all programs that the builders of this service use. */
const BUILDERS = "builders"

/** The settings of submissions among `values`; faults are reported as name and expectation. */
export const readSubmissionSettings = (
  values: Readonly<Record<string, string | undefined>>,
  fault: Fault,
): SubmissionSettings => {
  const named = values.SUBMIT_PROGRAMS?.split(",").map((text) => text.trim())
  if (
    named !== undefined &&
    (named.length > PROGRAMS_MAX || !named.every((name) => name === BUILDERS || isAddress(name)))
  )
    fault(
      "SUBMIT_PROGRAMS",
      `at most ${PROGRAMS_MAX} comma-separated addresses of programs, or ${BUILDERS} for those of this service's transactions`,
    )
  return { programs: named && new Set(named.flatMap((name) => (name === BUILDERS ? BUILDER_PROGRAMS : [name]))) }
}
