import type { IntentsUnavailable } from "./intents/IntentsErrors.ts"

const TEXTS: Readonly<Record<IntentsUnavailable["reason"], string>> = {
  network: "it does not answer",
  deadline: "it does not answer in time",
  status: "it has a fault",
  rate_limited: "it asks for a pause",
  unauthorized: "it does not take the API key of this service",
  redirect: "it has moved",
  too_large: "its answer cannot be read",
  malformed: "its answer cannot be read",
}

/** Why the swap service gave no usable answer, in words for callers and operators. */
export const reasonText = (reason: IntentsUnavailable["reason"]): string => TEXTS[reason]
