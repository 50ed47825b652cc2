import { Option, Schema } from "effect"
import { AppFee } from "./IntentsSchemas.ts"
import { type Discrepancy, fatal, harmless } from "./Discrepancy.ts"

/** With this account the service adds its own fee to every echo, also where no fee was asked for. */
export const SERVICE_FEE_ACCOUNT = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"

/** Basis points that it takes on top of the fees asked for: 1 with a key, 10 to 25 without one were seen. */
const SERVICE_FEE_BPS_MAX = 25

const decodeFees = Schema.decodeUnknownOption(Schema.NullOr(Schema.Array(AppFee)))

const bpsOf = (fees: ReadonlyArray<AppFee>, recipient?: string): number =>
  fees.reduce((sum, { fee, recipient: one }) => sum + (recipient === undefined || one === recipient ? fee : 0), 0)

/** What an echo grants: to applications, and what the service takes itself, in basis points. */
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
 * The fees of an echo against those asked for. They are not signed. The service adds its own, and under its partner policy
 * takes it out of ours (50 asked for come back as 25 and 25): so less for us is told of and refuses nothing, while
 * a stranger, more for us, or more in all than its own fee accounts for, does.
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
