import type { Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Schema } from "effect"

/** Nobody can be served at this address. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  host: Schema.String,
  port: Schema.Int,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Cannot listen on port ${this.port} of ${this.host}: ${this.reason}`
  }
}

/** What to change, by what the system says. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; stop whoever has it, or choose another PORT",
  EACCES: "this process may not; choose another PORT",
  EADDRNOTAVAIL: "HOST is no address of this machine",
  EINVAL: "HOST is no address of this machine",
  ENOTFOUND: "HOST is not known",
  EAI_AGAIN: "HOST is not known",
}

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return REASONS[code] ?? (code || String(cause))
}

/** A server on its port. */
export const listenAt = (
  server: () => Server,
  {
    host,
    port,
    ...options
  }: { readonly host: string; readonly port: number; readonly gracefulShutdownTimeout?: number },
) =>
  NodeHttpServer.layer(server, { host, port, ...options }).pipe(
    Layer.catchTag("ServeError", ({ cause }) =>
      Layer.effectContext(Effect.fail(new CannotListen({ host, port, reason: reasonOf(cause) }))),
    ),
  )
