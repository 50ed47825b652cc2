import type { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { type BuiltClaims, ClaimNotYours, NothingToClaim } from "@launch-registry/domain/launch/ClaimFees"
import type { FeeKind, PoolFees } from "@launch-registry/domain/pools/PoolFees"
import type { Address } from "@launch-registry/domain/solana/Address"
import { refuseIssues } from "../build/RefuseIssues.ts"
import { Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import type { ExtraAccounts } from "../accounts/AccountReads.ts"
import type { ClaimableFee } from "./ClaimableFees.ts"
import { claimIssues } from "./ClaimChecks.ts"
import { type ClaimAccountName, claimAccounts, claimCosts, packClaims, planOf } from "./ClaimSteps.ts"
import { poolFee, poolFees, readFees } from "./PoolFeeReads.ts"
import { Pools } from "../pools/Pools.ts"
import { PositionDirectory } from "./PositionDirectory.ts"
import type { PaymentOptions } from "../build/LaunchStep.ts"
import { PriorityFees } from "../build/PriorityFees.ts"
import { rentOf, SYSVAR_RENT } from "../accounts/Rent.ts"
import { signingIssues } from "../build/SigningKeys.ts"
import { contendedAccounts } from "../build/ContendedAccounts.ts"
import { paymentsOf } from "../build/Payments.ts"
import { buildTransactions } from "../build/UnsignedTransaction.ts"

/** Fees of a pool that a wallet claims. */
export interface Claim extends PaymentOptions {
  readonly wallet: string
  readonly baseMint: string
  /** All that can be claimed, without. */
  readonly kinds?: ReadonlyArray<FeeKind>
}

/** The transactions of claims, without a message. */
export type ClaimTransactions = Omit<BuiltClaims, "message">

type ClaimFailure = NotFound | InvalidRequest | ClaimNotYours | NothingToClaim | Unavailable

/** What pools earned for their creators and partners, and the transactions to claim it: one request for a mint that was seen before. */
export class Claims extends Context.Service<
  Claims,
  {
    readonly fees: (baseMint: string) => Effect.Effect<PoolFees, NotFound | Unavailable>
    readonly build: (claim: Claim) => Effect.Effect<ClaimTransactions, ClaimFailure>
  }
>()("@launch-registry/chain/claims/Claims") {
  static readonly layer = Layer.effect(
    Claims,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const pools = yield* Pools
      const directory = yield* PositionDirectory
      const prices = yield* PriorityFees

      const fees = Effect.fn("Claims.fees")(function* (baseMint: string) {
        return poolFees(yield* readFees({ pools, directory }, baseMint, () => Promise.resolve({})))
      })

      const build = Effect.fn("Claims.build")(function* (claim: Claim) {
        const { baseMint, priorityFee, transactionVersion: version, wallet } = claim
        yield* refuseIssues([
          ...signingIssues("body.walletAddress", wallet, { "the base mint": baseMint }),
          ...prices.issuesOf(priorityFee),
        ])
        const named = async (facts: Parameters<typeof claimAccounts>[0]) => {
          return { rent: SYSVAR_RENT, ...(await claimAccounts(facts, wallet)) }
        }
        const read = yield* readFees({ pools, directory }, baseMint, named, wallet)
        const { curve } = read
        const accounts: ExtraAccounts<"wallet" | "rent" | ClaimAccountName> = read.accounts
        const mine = yield* requireClaimable(read.fees, claim)
        const to = yield* Effect.promise(() => claimAccounts(curve, wallet))
        yield* refuseIssues(claimIssues(curve, mine, to, accounts))
        const groups = packClaims(curve, mine, to, version)
        const contended = contendedAccounts(
          groups.flatMap(({ instructions }) => instructions),
          [to.wallet, to.baseAccount, to.quoteAccount, to.leftoverAccount],
        )
        const priceOf = yield* prices.priceOf(priorityFee, contended)
        const plans = groups.map((group) => planOf(group, { feePayer: wallet, priceOf, version }))
        const rent = yield* rentOf(accounts.rent)
        const costs = claimCosts(curve, groups, to, accounts, rent)
        const planned = plans.map((plan, index) => ({ plan, steps: [costs[index]!] }))
        const payments = paymentsOf(planned, accounts.wallet?.lamports ?? 0n, rent)
        const { transactions, ...latest } = yield* buildTransactions(rpc, plans)
        const sum = (amountOf: (fee: ClaimableFee) => bigint) =>
          mine.reduce((total, fee) => total + amountOf(fee), 0n).toString()
        return {
          transactions: transactions.map(({ computeUnitLimit, priorityFeeLamports, size, transaction }, index) => ({
            ...{ transaction, size, computeUnitLimit, priorityFeeLamports },
            claims: groups[index]!.fees.map(poolFee),
          })),
          ...latest,
          mintAddress: baseMint as Address,
          quoteMint: curve.config.quoteMint as Address,
          baseAmount: sum((fee) => fee.baseAmount),
          quoteAmount: sum((fee) => fee.quoteAmount),
          lamports: sum((fee) => fee.lamports),
          ...payments,
        }
      })

      return Claims.of({ fees, build })
    }),
  ).pipe(Layer.provide(PriorityFees.layer))
}

/** What the wallet can claim of what it names; fails where that is nothing. */
const requireClaimable = (fees: ReadonlyArray<ClaimableFee>, { baseMint, kinds, wallet }: Claim) => {
  const named = fees.filter(({ kind }) => kinds === undefined || kinds.includes(kind))
  // Anybody may send a leftover to its receiver.
  const isOwn = ({ kind, owner }: ClaimableFee) =>
    owner === wallet || (kind === "leftover" && kinds?.includes("leftover") === true)
  const mine = named.filter(isOwn)
  const of = { mintAddress: baseMint, walletAddress: wallet }
  if (mine.length === 0 && named.length > 0) {
    const owners = named.map(({ kind, owner, party }) => ({ kind, party, owner: owner ?? null }))
    return Effect.fail(new ClaimNotYours({ ...of, owners }))
  }
  // A kind that only others have is refused even where the wallet can claim another one.
  for (const kind of kinds ?? []) {
    const owned = named.filter((fee) => fee.kind === kind)
    if (owned.length > 0 && !owned.some(isOwn)) {
      const owners = owned.map(({ owner, party }) => ({ kind, party, owner: owner ?? null }))
      return Effect.fail(new ClaimNotYours({ ...of, owners }))
    }
  }
  const claimable = mine.filter(({ state }) => state === "claimable")
  return claimable.length > 0
    ? Effect.succeed(claimable)
    : Effect.fail(new NothingToClaim({ ...of, fees: mine.map(({ kind, party, state }) => ({ kind, party, state })) }))
}
