import { assert, describe, it } from "@effect/vitest"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configIssues } from "../../src/launches/ConfigRules.ts"
import { curveRequest } from "../../src/launches/CurveRequest.ts"
import { loadDbcSdk } from "../../src/dbc/DbcSdk.ts"
import { refusalIssue } from "../../src/launches/SdkRefusals.ts"
import { acceptedConfigs } from "./GeneratedConfigs.ts"

const ADDRESS = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const ACCOUNTS = {
  config: "FxbiJ5RoUT5nVEBTSY5cRuUHe97Q9xAmCPT6UZaAQ1Na",
  feeClaimer: ADDRESS,
  leftoverReceiver: ADDRESS,
  quoteMint: "So11111111111111111111111111111111111111112",
  payer: ADDRESS,
}
const CONFIGS = 600

describe("A configuration that the rules accept", () => {
  it("is accepted by the SDK, or refused with the field that has to change", async () => {
    const sdk = await loadDbcSdk()
    const configs = acceptedConfigs(20_261_121, CONFIGS)
    assert.lengthOf(configs, CONFIGS)
    let accepted = 0
    for (const config of configs) {
      const complete = completeConfig(LAUNCHPAD_PRESETS.launchpad_a.config, config)
      try {
        await sdk.createConfig(ACCOUNTS, sdk.buildCurve(curveRequest(complete)))
        accepted++
      } catch (error) {
        const { path } = refusalIssue((error as Error).message, complete.buildCurveMode)
        assert.match(path, /^body\.dbcConfig\.\w/, `${(error as Error).message}: ${JSON.stringify(config)}`)
      }
    }
    assert.isAbove(accepted, CONFIGS / 3)
  })

  it("whose market caps make no curve is refused with a field that its mode has", async () => {
    const sdk = await loadDbcSdk()
    for (const [initialMarketCap, migrationMarketCap, field] of [
      ["30", "30.0000001", "migrationMarketCap"],
      ["0.00000000000001", "1000000000000000000", ""],
      ["1", "100000000000", ""],
    ] as const) {
      const config = {
        buildCurveMode: 1,
        buildCurveParam: { initialMarketCap, migrationMarketCap },
        leftover: "1000",
      } as const
      const complete = completeConfig(LAUNCHPAD_PRESETS.launchpad_a.config, config)
      assert.deepStrictEqual(configIssues(complete), [])
      const build = async () => sdk.createConfig(ACCOUNTS, sdk.buildCurve(curveRequest(complete)))
      const error = await build().then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      const { path } = refusalIssue(error!.message, 1)
      assert.strictEqual(path, ["body.dbcConfig.buildCurveParam", field].filter(Boolean).join("."))
    }
  })
})
