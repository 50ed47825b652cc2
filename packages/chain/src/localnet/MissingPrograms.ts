import type { Address } from "@solana/kit"
import { Context } from "effect"

/** Programs that launches need and the local chain cannot execute, as of now. A cluster has all of them. */
export const MissingPrograms = Context.Reference<() => ReadonlyArray<Address>>(
  "@launch-registry/chain/localnet/MissingPrograms",
  { defaultValue: () => () => [] },
)

/** What is missing, and how it is fetched, in a checkout and without one. */
export const programsMissing = (programs: ReadonlyArray<string>): string =>
  `the local chain lacks the programs ${programs.join(", ")}; a start with CLONE_PROGRAMS=<URL of a mainnet RPC> fetches them`
