import type { Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Schema } from "effect"

/** The server cannot listen on this address. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  host: Schema.String,
  port: Schema.Int,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Cannot listen on port ${this.port} of ${this.host}: ${this.reason}`
  }
}

/** Advice by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; stop the process that uses it, or choose another PORT",
  EACCES: "permission denied; choose another PORT",
  EADDRNOTAVAIL: "HOST is not an address of this machine",
  EINVAL: "HOST is not an address of this machine",
  ENOTFOUND: "HOST cannot be resolved",
  EAI_AGAIN: "HOST cannot be resolved",
}

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return REASONS[code] ?? (code || String(cause))
}

/** Messages of clients name addresses alone: a larger one closes its connection (1009). */
const WEBSOCKET = { maxPayload: 16_384 }

/** Serves on host and port. */
export const listenAt = (
  server: () => Server,
  {
    host,
    port,
    ...options
  }: { readonly host: string; readonly port: number; readonly gracefulShutdownTimeout?: number },
) =>
  NodeHttpServer.layer(server, { host, port, ...options, websocket: WEBSOCKET }).pipe(
    Layer.catchTag("ServeError", ({ cause }) =>
      Layer.effectContext(Effect.fail(new CannotListen({ host, port, reason: reasonOf(cause) }))),
    ),
  )
