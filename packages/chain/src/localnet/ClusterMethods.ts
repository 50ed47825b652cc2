import { NODE_VERSION, inContext } from "./AnswerContext.ts"
import { invalidParams } from "./JsonRpcFault.ts"
import type { Ledger } from "./Ledger.ts"

const SLOTS_PER_EPOCH = 432_000
const LEADERS_MAX = 5_000
const SAMPLE_SECONDS = 60
/** The least that a stake account delegates (Stake program), in lamports. */
const STAKE_LAMPORTS_MIN = 1

/** Methods of Solana's JSON-RPC about the cluster: one leader, no skipped slot, no votes, stakes or inflation. */
export const clusterMethods = (ledger: Ledger) => {
  const withContext = inContext(ledger)
  const epochOf = (slot: number) => Math.floor(slot / SLOTS_PER_EPOCH)
  const epochStart = (slot: number) => epochOf(slot) * SLOTS_PER_EPOCH
  return {
    getHealth: () => "ok",
    getVersion: () => ({ "feature-set": 0, "solana-core": NODE_VERSION }),
    getGenesisHash: () => ledger.genesisHash,
    getIdentity: () => ({ identity: ledger.identity }),
    getClusterNodes: () => [
      {
        ...{ pubkey: ledger.identity, gossip: null, tpu: null, rpc: null, pubsub: null },
        ...{ version: NODE_VERSION, featureSet: 0, shredVersion: 0 },
      },
    ],
    // Slots before the current one are final.
    getSlot: ([options]: ReadonlyArray<unknown>) => {
      const { commitment = "finalized" } = (options ?? {}) as { readonly commitment?: string }
      return Number(ledger.slot) - (commitment === "finalized" ? 1 : 0)
    },
    getBlockHeight: () => Number(ledger.blockHeight),
    getEpochInfo: () => {
      const slot = Number(ledger.slot)
      return {
        absoluteSlot: slot,
        blockHeight: Number(ledger.blockHeight),
        epoch: epochOf(slot),
        slotIndex: slot - epochStart(slot),
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: ledger.transactionCount,
      }
    },
    getEpochSchedule: () => ({
      firstNormalEpoch: 0,
      firstNormalSlot: 0,
      leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
      slotsPerEpoch: SLOTS_PER_EPOCH,
      warmup: false,
    }),
    getSlotLeader: () => ledger.identity,
    getSlotLeaders: ([start, limit]: ReadonlyArray<unknown>) => {
      if (typeof start !== "number" || typeof limit !== "number" || limit < 1 || limit > LEADERS_MAX)
        throw invalidParams(`expected a slot and a limit from 1 to ${LEADERS_MAX}`)
      return Array.from({ length: limit }, () => ledger.identity)
    },
    getLeaderSchedule: ([first, second]: ReadonlyArray<unknown>) => {
      const { identity = ledger.identity } = (first !== null && typeof first === "object" ? first : (second ?? {})) as {
        readonly identity?: string
      }
      return identity === ledger.identity
        ? { [identity]: Array.from({ length: SLOTS_PER_EPOCH }, (_, index) => index) }
        : {}
    },
    getBlockProduction: () => {
      const lastSlot = Number(ledger.slot)
      const firstSlot = Math.max(epochStart(lastSlot), Number(ledger.firstKnownSlot))
      const slots = lastSlot - firstSlot + 1
      return withContext({ byIdentity: { [ledger.identity]: [slots, slots] }, range: { firstSlot, lastSlot } })
    },
    getRecentPerformanceSamples: () => {
      const since = ledger.timeSeconds - SAMPLE_SECONDS
      const recent = ledger.outcomes().filter(({ blockTimeSeconds }) => blockTimeSeconds > since).length
      return [
        {
          slot: Number(ledger.slot),
          numSlots: Math.round((SAMPLE_SECONDS * 1000) / ledger.clock.slotMillis),
          numTransactions: recent,
          numNonVoteTransactions: recent,
          samplePeriodSecs: SAMPLE_SECONDS,
        },
      ]
    },
    getVoteAccounts: () => ({ current: [], delinquent: [] }),
    getStakeMinimumDelegation: () => withContext(STAKE_LAMPORTS_MIN),
    getInflationGovernor: () => ({ foundation: 0, foundationTerm: 0, initial: 0, taper: 0, terminal: 0 }),
    getInflationRate: () => ({ epoch: epochOf(Number(ledger.slot)), foundation: 0, total: 0, validator: 0 }),
    getInflationReward: ([addresses]: ReadonlyArray<unknown>) => {
      if (!Array.isArray(addresses)) throw invalidParams("expected public keys")
      return addresses.map(() => null)
    },
  }
}
