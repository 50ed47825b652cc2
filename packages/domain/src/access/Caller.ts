import { Context, Effect } from "effect"
import { NotConfigured } from "../http/Unavailable.ts"
import { Forbidden } from "../http/AccessErrors.ts"

/** What a key may do: `read` reads of system routes, `write` all writes but those of admins, `admin` everything. */
export const SCOPES = ["read", "write", "admin"] as const
export type Scope = (typeof SCOPES)[number]

/** The id of the caller with the `ADMIN_KEY`, which is not in the database: no other key has it. */
export const ADMIN_KEY_ID = "ADMIN_KEY"

/** Who sent a request: an API key, or a wallet that signed it. Without required credentials, anyone. */
export type Caller =
  | { readonly _tag: "Anyone" }
  | {
      readonly _tag: "Key"
      readonly id: string
      readonly name: string
      /** The same for all keys that replaced each other: whose Idempotency-Keys and limits they are. */
      readonly family: string
      readonly scopes: ReadonlyArray<Scope>
    }
  | { readonly _tag: "Wallet"; readonly address: string; readonly isAdmin: boolean }

/** The caller of the current request. */
export const CurrentCaller = Context.Reference<Caller>("@launch-registry/domain/access/Caller", {
  defaultValue: () => ({ _tag: "Anyone" }),
})

/** The only wallet that the caller may act for; undefined if it may act for all. */
export const onlyWallet = Effect.map(CurrentCaller, (caller) =>
  caller._tag === "Wallet" && !caller.isAdmin ? caller.address : undefined,
)

/** Fails unless the caller may act for this wallet, which the request calls `what`. */
export const requireWallet = (wallet: string, what: string): Effect.Effect<void, Forbidden> =>
  Effect.flatMap(onlyWallet, (only) =>
    only === undefined || only === wallet
      ? Effect.void
      : Effect.fail(new Forbidden({ reason: `only ${wallet}, ${what}, may do this` })),
  )

/** Fails where no credential is required: for what operators alone may do, and strangers not even in an open registry. */
export const requireCredential: Effect.Effect<void, NotConfigured> = Effect.flatMap(CurrentCaller, (caller) =>
  caller._tag === "Anyone"
    ? Effect.fail(new NotConfigured({ feature: "operators", reason: "set ADMIN_KEY or WRITE_AUTH" }))
    : Effect.void,
)
