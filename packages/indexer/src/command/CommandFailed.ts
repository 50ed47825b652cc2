import { Schema } from "effect"

/** A command cannot do what it was asked for. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", { reason: Schema.String }) {
  override get message(): string {
    return this.reason
  }
}
