import type { Address } from "@solana/kit"
import { Context } from "effect"

/** Programs that launches need and the local chain cannot execute, as of now. A cluster has all of them. */
export const MissingPrograms = Context.Reference<() => ReadonlyArray<Address>>(
  "@launch-registry/chain/localnet/MissingPrograms",
  { defaultValue: () => () => [] },
)

/** What is missing, and how it is fetched. */
export const programsMissing = (programs: ReadonlyArray<string>): string =>
  `the local chain lacks ${programs.join(", ")}; the next start has what ` +
  "`npx --yes pnpm@12.21.0 clone-programs <RPC URL>` or CLONE_PROGRAMS=<RPC URL> fetches"
