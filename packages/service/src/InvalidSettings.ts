import { Schema } from "effect"

/** The settings are invalid; the message lists every fault, and no values. */
export class InvalidSettings extends Schema.TaggedError<InvalidSettings>()("InvalidSettings", {
  faults: Schema.Array(Schema.String),
  /** Misspelt variables, which may be the reason of missing settings. */
  misspelt: Schema.Array(Schema.String),
}) {
  override get message(): string {
    const faults = this.faults.map((fault) => `  - ${fault}`)
    return ["Invalid settings:", ...faults, ...this.misspelt.map((one) => `Warning: ${one}`)].join("\n")
  }
}
