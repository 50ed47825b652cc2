import type { NotificationOptions } from "@launch-registry/server/notifications/NotificationOptions"
import { Redacted } from "effect"
import type { Fault } from "./WholeSetting.ts"

const SECRET_LENGTH_MIN = 32
const SECRETS_MAX = 2

/**
 * The settings of notifications among `values`; faults are reported as name and expectation. `undefined` without
 * NOTIFICATIONS_SECRET.
 */
export const readNotificationSettings = (
  values: Readonly<Record<string, string | undefined>>,
  { hasCredentials, isLocal }: { readonly hasCredentials: boolean; readonly isLocal: boolean },
  fault: Fault,
): NotificationOptions | undefined => {
  const secrets = values.NOTIFICATIONS_SECRET?.split(",").map((text) => text.trim())
  if (secrets === undefined) return undefined
  if (
    secrets.length > SECRETS_MAX ||
    !secrets.every((secret) => /^[\x21-\x7e]+$/.test(secret) && secret.length >= SECRET_LENGTH_MIN)
  )
    fault(
      "NOTIFICATIONS_SECRET",
      `at least ${SECRET_LENGTH_MIN} visible ASCII characters; two, comma-separated, during a rotation`,
    )
  // Anyone could have the service send requests, and endpoints would belong to nobody.
  if (!hasCredentials) fault("NOTIFICATIONS_SECRET", "ADMIN_KEY or WRITE_AUTH to be set as well")
  return {
    masterSecrets: secrets.map((secret) => Redacted.make(secret)),
    // A receiver of a developer is on loopback.
    allowsPrivate: isLocal,
  }
}
