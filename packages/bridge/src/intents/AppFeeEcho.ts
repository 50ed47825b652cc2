import { Option, Schema } from "effect"
import { AppFee } from "./IntentsSchemas.ts"
import { type Discrepancy, fatal, harmless } from "./Discrepancy.ts"

/** The account of the service's own fee, which it adds to every echo, even when no fee was requested. */
export const SERVICE_FEE_ACCOUNT = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"

/** The most that its own fee adds, in basis points: observed were 1 with a key and 10 to 25 without one. */
const SERVICE_FEE_BPS_MAX = 25

const decodeFees = Schema.decodeUnknownOption(Schema.NullOr(Schema.Array(AppFee)))

const bpsOf = (fees: ReadonlyArray<AppFee>, recipient?: string): number =>
  fees.reduce((sum, { fee, recipient: one }) => sum + (recipient === undefined || one === recipient ? fee : 0), 0)

/** The fees of an echo: those of applications, and the service's own in basis points. */
export const grantedFees = (
  echoed: unknown,
): { readonly appFees: ReadonlyArray<AppFee>; readonly serviceFeeBps: number } => {
  const fees = Option.getOrNull(decodeFees(echoed ?? null)) ?? []
  return {
    appFees: fees.filter(({ recipient }) => recipient !== SERVICE_FEE_ACCOUNT),
    serviceFeeBps: bpsOf(fees, SERVICE_FEE_ACCOUNT),
  }
}

/**
 * Compares the echoed fees, which are not signed, with those requested. The service adds its own fee, and under its
 * partner policy takes it out of ours (a requested 50 comes back as 25 and 25). So a lower fee for us is only reported;
 * an unknown recipient, a higher fee for us, or a total beyond the service's own fee rejects the quote.
 */
export const appFeeDiscrepancies = (
  asked: ReadonlyArray<AppFee>,
  echoed: unknown,
  serviceAccounts: ReadonlyArray<string> = [SERVICE_FEE_ACCOUNT],
): ReadonlyArray<Discrepancy> => {
  const field = "quoteRequest.appFees"
  const decoded = decodeFees(echoed ?? null)
  if (Option.isNone(decoded)) return [fatal(field, "different")]
  const fees = decoded.value ?? []
  const known = new Set([...serviceAccounts, ...asked.map(({ recipient }) => recipient)])
  const ours = [...new Set(asked.map(({ recipient }) => recipient))]
  const isAdded = fees.some(({ recipient }) => !known.has(recipient))
  const isMore =
    bpsOf(fees) > bpsOf(asked) + SERVICE_FEE_BPS_MAX ||
    ours.some((one) => !serviceAccounts.includes(one) && bpsOf(fees, one) > bpsOf(asked, one))
  const isLess = ours.some((one) => bpsOf(fees, one) < bpsOf(asked, one))
  return [
    ...(isAdded ? [fatal(field, "added")] : []),
    ...(isMore ? [fatal(field, "different")] : []),
    ...(isLess ? [harmless(field, "missing")] : []),
  ]
}
