import { LAUNCHPAD_PRESETS, type LaunchpadPresets, presetsWith } from "@launch-registry/chain/launches/ConfigPreset"
import { configIssues } from "@launch-registry/chain/launches/ConfigRules"
import { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { Address } from "@launch-registry/domain/solana/Address"
import { Launchpad } from "@launch-registry/domain/tokens/Token"
import { issuesOf } from "@launch-registry/http/requests/SchemaIssues"
import { Result, Schema } from "effect"

const OneLaunchpad = Schema.Struct({
  dbcConfig: Schema.optionalKey(DbcConfig),
  quoteMint: Schema.optionalKey(Address),
})

const decode = Schema.decodeUnknownResult(
  Schema.Struct(Object.fromEntries(Launchpad.literals.map((name) => [name, Schema.optionalKey(OneLaunchpad)]))),
  { errors: "all", onExcessProperty: "error" },
)

/**
 * The presets of the launchpads from `LAUNCHPADS`: JSON `{"launchpad_a": {"quoteMint", "dbcConfig"}}`, with `dbcConfig`
 * as in the body of `dbc-config`. Validated against the rules of the program.
 */
export const readLaunchpads = (text: string | undefined): LaunchpadPresets | ReadonlyArray<string> => {
  if (text === undefined) return presetsWith({})
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return ["LAUNCHPADS: expected JSON"]
  }
  const decoded = decode(parsed)
  if (Result.isFailure(decoded))
    return issuesOf("LAUNCHPADS", decoded.failure.issue).map(
      ({ message, path }) => `${path.replace("LAUNCHPADS.", "LAUNCHPADS: ")}: ${message}`,
    )
  const presets = presetsWith(decoded.success)
  const faults = Launchpad.literals.flatMap((name) => {
    const [{ config, quoteMint }, own] = [presets[name], LAUNCHPAD_PRESETS[name]]
    // Amounts of one token are never taken as the same number of another one.
    const areOfOther = quoteMint !== own.quoteMint && config.buildCurveParam === own.config.buildCurveParam
    return [
      ...configIssues(config).map(({ message, path }) => `${path.replace("body.", `${name}.`)}: ${message}`),
      ...(areOfOther ? [`${name}.dbcConfig.buildCurveParam: expected the amounts of the curve in ${quoteMint}`] : []),
    ].map((fault) => `LAUNCHPADS: ${fault}`)
  })
  return faults.length > 0 ? faults : presets
}
