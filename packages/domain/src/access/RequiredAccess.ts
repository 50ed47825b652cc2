import { Context } from "effect"

/**
 * Who may call an operation where credentials are required. `open`: anyone. `write`: any wallet, for what is its own,
 * and keys that may write. `own`: the same, also for reads and wherever there are credentials at all. `admin`: admins.
 * `system`: admins, and for reads also keys that may read.
 */
export type AccessLevel = "open" | "write" | "own" | "admin" | "system"

/** Annotation of an endpoint whose level does not follow from its method. */
export const RequiredAccess = Context.Reference<AccessLevel | undefined>(
  "@launch-registry/domain/access/RequiredAccess",
  { defaultValue: () => undefined },
)

/** The level of an endpoint: reads are open and everything else is a write, unless it is annotated. */
export const requiredAccess = (endpoint: {
  readonly method: string
  readonly annotations: Context.Context<never>
}): AccessLevel => Context.get(endpoint.annotations, RequiredAccess) ?? (endpoint.method === "GET" ? "open" : "write")
