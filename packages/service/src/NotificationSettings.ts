import type { NotificationOptions } from "@launch-registry/notifications/NotificationOptions"
import { Redacted } from "effect"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

export const NOTIFICATION_NAMES: ReadonlyArray<string> = [
  ...["NOTIFICATIONS_SECRET", "NOTIFICATIONS_KEEP_DAYS", "NOTIFICATIONS_PRIVATE_ADDRESSES"],
  ...["NOTIFICATIONS_ENDPOINTS_MAX", "NOTIFICATIONS_ENDPOINTS_PER_OWNER_MAX"],
]

const SECRET_LENGTH_MIN = 32
const SECRETS_MAX = 2
const KEEP_DAYS = 7
const ENDPOINTS_MAX = 100
const ENDPOINTS_PER_OWNER_MAX = 10

/**
 * The settings of notifications among `values`; faults are reported as name and expectation. `undefined` without
 * NOTIFICATIONS_SECRET.
 */
export const readNotificationSettings = (
  values: Readonly<Record<string, string | undefined>>,
  { hasCredentials }: { readonly hasCredentials: boolean },
  fault: Fault,
): NotificationOptions | undefined => {
  const secrets = values.NOTIFICATIONS_SECRET?.split(",").map((text) => text.trim())
  if (secrets === undefined) {
    for (const name of NOTIFICATION_NAMES)
      if (values[name] !== undefined) fault(name, "NOTIFICATIONS_SECRET to be set as well")
    return undefined
  }
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
  const isPrivate = values.NOTIFICATIONS_PRIVATE_ADDRESSES ?? "false"
  if (isPrivate !== "true" && isPrivate !== "false") fault("NOTIFICATIONS_PRIVATE_ADDRESSES", "true or false")
  const whole = wholeSettings(values, fault)
  return {
    masterSecrets: secrets.map((secret) => Redacted.make(secret)),
    allowsPrivate: isPrivate === "true",
    keepDays: whole("NOTIFICATIONS_KEEP_DAYS", "days", 1, 365) ?? KEEP_DAYS,
    endpointsMax: whole("NOTIFICATIONS_ENDPOINTS_MAX", "endpoints", 1, 1_000) ?? ENDPOINTS_MAX,
    endpointsPerOwnerMax:
      whole("NOTIFICATIONS_ENDPOINTS_PER_OWNER_MAX", "endpoints", 1, 1_000) ?? ENDPOINTS_PER_OWNER_MAX,
  }
}
