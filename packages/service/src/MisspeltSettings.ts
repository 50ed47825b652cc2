import { isOneLetterOff, lettersOf, suggestion } from "@launch-registry/http/requests/NearestName"

/** Nothing else has names that begin like this. */
const OWN_PREFIXES = ["RPC_", "IPFS_", "INTENTS_", "INDEXER_", "HELIUS_", "LAUNCHPAD"]
/** What Kubernetes sets for every service of its namespace, such as one called `rpc`; no setting of ours ends like this. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT\w*|PORT(_\d+_(TCP|UDP)\w*)?)$/

/** Read by Kubo, the IPFS daemon. */
const OF_KUBO = ["IPFS_PATH", "IPFS_LOGGING", "IPFS_TELEMETRY"]

/** One letter more or less makes another word of a name that is no longer (`POST`, `HOSTS`): only its letters make it ours. */
const SHORT_NAME = 4

/** No name of ours is longer, and a secret may stand where a name should. */
const NAME = /^[\w-]{1,50}$/

const isNear = (name: string, known: string): boolean =>
  known.length > SHORT_NAME ? isOneLetterOff(name, known) : lettersOf(name) === lettersOf(known)

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
    .filter((name) => !SERVICE_LINK.test(name) && !OF_KUBO.includes(name))
    .filter((name) => OWN_PREFIXES.some((prefix) => name.startsWith(prefix)) || known.some((one) => isNear(name, one)))
    .map((name) => `${name} is no setting${suggestion(name, known)}`)
}
