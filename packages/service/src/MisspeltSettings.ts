import { isOneLetterOff, lettersOf, suggestion } from "@launch-registry/http/requests/NearestName"

/** How our settings begin and end, and no others. */
const OWN =
  /^(RPC_|IPFS_|INTENTS_|INDEXER_|INBOX_|HELIUS_|LAUNCHPAD|OTEL_|RATE_LIMIT_|NOTIFICATIONS_|LOCAL_CHAIN_)|_(KEEP_DAYS|PER_DAY|MEGABYTES_MAX)$/
/** Variables that Kubernetes sets for each service, such as one named `rpc`; no setting ends like this. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT\w*|PORT(_\d+_(TCP|UDP)\w*)?)$/

/** Settings of Kubo, the IPFS daemon. */
const OF_KUBO = ["IPFS_PATH", "IPFS_LOGGING", "IPFS_TELEMETRY"]

/** Short names with one letter more or less are other words (`POST`, `HOSTS`), so they must have the same letters. */
const SHORT_NAME = 4

/** No setting has a longer name, and an odd name may be a misplaced secret. */
const NAME = /^[\w-]{1,50}$/

const isNear = (name: string, known: string): boolean =>
  known.length > SHORT_NAME ? isOneLetterOff(name, known) : lettersOf(name) === lettersOf(known)

/**
 * Warnings for variables that look like misspelt settings: same prefix, or one letter off. Repeats names, never values.
 */
export const misspeltSettings = (
  environment: Readonly<Record<string, string | undefined>>,
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const known = names.flatMap((name) => [name, `${name}_FILE`])
  return Object.keys(environment)
    .filter((name) => environment[name] !== "" && NAME.test(name) && !known.includes(name))
    .filter((name) => !SERVICE_LINK.test(name) && !OF_KUBO.includes(name))
    .filter((name) => OWN.test(name) || known.some((one) => isNear(name, one)))
    .map((name) => `${name} is not a setting${suggestion(name, known)}`)
}
