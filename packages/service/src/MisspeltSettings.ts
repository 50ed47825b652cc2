import { isOneLetterOff, suggestion } from "@launch-registry/server/http/NearestName"

/** Nothing else has names that begin like this. */
const OWN_PREFIXES = ["RPC_", "IPFS_", "INTENTS_", "INDEXER_", "HELIUS_", "LAUNCHPAD"]
/** No name of ours is longer, and a secret may stand where a name should. */
const NAME = /^[\w-]{1,50}$/

/**
 * What in `environment` is no setting and was likely meant to be one: it begins like ours, or is one letter away. Names alone are
 * repeated, never values.
 */
export const misspeltSettings = (
  environment: Readonly<Record<string, string | undefined>>,
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const known = names.flatMap((name) => [name, `${name}_FILE`])
  return Object.keys(environment)
    .filter((name) => environment[name] !== "" && NAME.test(name) && !known.includes(name))
    .filter(
      (name) =>
        OWN_PREFIXES.some((prefix) => name.startsWith(prefix)) || known.some((one) => isOneLetterOff(name, one)),
    )
    .map((name) => `${name} is no setting${suggestion(name, known)}`)
}
