import type { RpcReport } from "@launch-registry/domain/system/RpcReport"
import {
  createSolanaRpcFromTransport,
  type PendingRpcRequest,
  type Rpc as KitRpc,
  type RpcTransport,
} from "@solana/kit"
import { Clock, Context, Duration, Effect, Layer, Random, type Redacted, type Result } from "effect"
import { ChainHead, type LatestBlockhash, type SeenBlockhash } from "./ChainHead.ts"
import { inTraceOf } from "./CallSpan.ts"
import { Cluster } from "./Cluster.ts"
import { type Cordon, Endpoint } from "./Endpoint.ts"
import { Endpoints } from "./Endpoints.ts"
import { reportOf } from "./EndpointReport.ts"
import { endpointTransport } from "./EndpointTransport.ts"
import { failoverTransport } from "./FailoverTransport.ts"
import { type Failover, HEDGES_MOST } from "./HedgedRequest.ts"
import type { CheckedApi } from "./Methods.ts"
import { Prober } from "./Prober.ts"
import { RpcError } from "./RpcError.ts"
import { registerRpcMetrics } from "./RpcMetrics.ts"

const NANOS_PER_MILLI = 1_000_000
const PROBE_MILLIS = 1_000

export interface RpcOptions {
  /** In order of preference. */
  readonly urls: ReadonlyArray<Redacted.Redacted>
  /** Genesis hash that an endpoint must have before it is used, or `any`: they must agree with each other. */
  readonly genesisHash: string
  readonly probeMillis?: number
}

/** One request, as @solana/kit writes it: `call((kit) => kit.getSlot())`. Methods whose results are not checked are not there. */
export type RpcCall = <A>(request: (kit: KitRpc<CheckedApi>) => PendingRpcRequest<A>) => Effect.Effect<A, RpcError>

/** What one endpoint answered. */
export interface EndpointAnswer<A> {
  readonly name: string
  readonly result: Result.Result<A, RpcError>
}

/**
 * The chain over any number of RPC endpoints, in order of preference.
 *
 * Reads go to the first endpoint in use and on to the next when it fails or is late; what the node rejects is rejected at
 * once. Endpoints are probed in the background: one that is down, slow, behind or of another cluster is out of use until
 * probes say otherwise. With no endpoint in use, calls fail at once.
 */
export class Rpc extends Context.Service<
  Rpc,
  {
    readonly call: RpcCall
    /**
     * Asks every endpoint in use separately: for results that count only when no endpoint contradicts them. An endpoint
     * whose cluster is not verified yet is listed with a failure.
     */
    readonly onEach: <A>(
      look: (call: RpcCall) => Effect.Effect<A, RpcError>,
    ) => Effect.Effect<ReadonlyArray<EndpointAnswer<A>>>
    /** The newest confirmed blockhash, at most two seconds old. Costs no request while probes are answered. */
    readonly getLatestBlockhash: Effect.Effect<LatestBlockhash, RpcError>
    /** How long a slot takes, in milliseconds, as the slots that endpoints showed in the last minute say. */
    readonly slotMillis: Effect.Effect<number>
    /** The state of every endpoint, and how often the first choice changed. Makes no request. */
    readonly report: Effect.Effect<RpcReport>
    /**
     * Takes endpoints out of use, by name, and puts all others back. They are probed all the same. When every endpoint is
     * cordoned, calls go on as if none were.
     */
    readonly cordon: (cordons: ReadonlyMap<string, Cordon>) => Effect.Effect<void>
  }
>()("@launch-registry/chain/rpc/Rpc") {
  static readonly layer = (options: RpcOptions) => Layer.effect(Rpc, make(options))
}

const nameOf = (index: number): string => (index === 0 ? "primary" : index === 1 ? "backup" : `backup-${index}`)

const callOver = (transport: RpcTransport): RpcCall => {
  const kit = createSolanaRpcFromTransport(transport) as KitRpc<CheckedApi>
  return (request) =>
    Effect.withFiber(({ context }) =>
      Effect.tryPromise({
        try: (abortSignal) => inTraceOf(context, () => request(kit).send({ abortSignal })),
        // Any other error means that kit could not read the answer.
        catch: (error) =>
          error instanceof RpcError ? error : new RpcError({ method: "unknown", reason: { _tag: "BadAnswer" } }),
      }),
    )
}

const make = Effect.fnUntraced(function* (options: RpcOptions) {
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const fork = Effect.runForkWith(context)
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / NANOS_PER_MILLI
  const timeMillis = () => clock.currentTimeMillisUnsafe()

  const probers = new Map<Endpoint, Prober>()
  const probeSoon = (endpoint: Endpoint) => probers.get(endpoint)?.probeSoon()
  const admit = (endpoint: Endpoint, genesisHash: string) => endpoints.admit(endpoint, genesisHash)
  const all = options.urls.map((url, index) => new Endpoint({ name: nameOf(index), url, now, timeMillis, admit }))
  const cluster = new Cluster(options.genesisHash, all)
  const log = (level: "info" | "warning", line: string) =>
    void fork(level === "info" ? Effect.logInfo(line) : Effect.logWarning(line))
  const endpoints = new Endpoints({
    ...{ all, cluster, now, timeMillis, log, probeSoon },
  })
  const head = new ChainHead()
  let lastCallAt = now()

  const failover: Failover = {
    endpoints,
    hedges: HEDGES_MOST,
    now,
    after: (millis, then) => {
      const fiber = fork(Effect.andThen(clock.sleep(Duration.millis(millis)), Effect.sync(then)))
      return () => fiber.interruptUnsafe()
    },
    random: () => random.nextDoubleUnsafe(),
    probeSoon,
  }
  const call = callOver(failoverTransport(failover, () => void (lastCallAt = now())))
  const looks = all.map((endpoint) => ({ endpoint, call: callOver(endpointTransport(endpoint, failover)) }))

  for (const endpoint of all) {
    const { probeMillis = PROBE_MILLIS } = options
    const prober = new Prober(endpoint, {
      endpoints,
      head,
      probeMillis,
      now,
      lastCallAt: () => lastCallAt,
    })
    probers.set(endpoint, prober)
    yield* Effect.addFinalizer(() => Effect.promise(() => endpoint.close()))
    yield* Effect.forkScoped(prober.run)
  }
  const showCordons = yield* registerRpcMetrics(endpoints, now)

  const onEach: Rpc["Service"]["onEach"] = (look) =>
    Effect.suspend(() => {
      lastCallAt = now()
      const asked = looks.filter(
        ({ endpoint }) => endpoints.isUsable(endpoint) || endpoints.isAboutToBeUsable(endpoint),
      )
      for (const { endpoint } of asked) if (!endpoints.isUsable(endpoint)) probeSoon(endpoint)
      return Effect.forEach(
        asked,
        ({ call, endpoint }) => Effect.map(Effect.result(look(call)), (result) => ({ name: endpoint.name, result })),
        { concurrency: "unbounded" },
      )
    })

  /** A transaction on a blockhash of a slot that is not believed may never land, or belong to another chain. */
  const askForBlockhash = Effect.flatMap(
    call((kit) => kit.getLatestBlockhash({ commitment: "confirmed" })),
    ({ context: { slot }, value }) => {
      if (!endpoints.slots.isBelievable(slot))
        return Effect.fail(new RpcError({ method: "getLatestBlockhash", reason: { _tag: "NoEndpoint" } }))
      const latest: SeenBlockhash = { ...value, slot }
      head.see(latest, now())
      return Effect.succeed(latest)
    },
  )

  const getLatestBlockhash = Effect.suspend(() => {
    lastCallAt = now()
    const known = head.fresh(now())
    const latest = known === undefined ? askForBlockhash : Effect.succeed(known)
    return latest.pipe(
      Effect.filterOrFail(
        () => !head.isStuck(now()),
        () => new RpcError({ method: "getLatestBlockhash", reason: { _tag: "NoProgress" } }),
      ),
      Effect.map((seen) => ({ ...seen, expiresInSeconds: head.secondsLeft(now(), endpoints.slots.slotMillis) })),
    )
  })

  return Rpc.of({
    call,
    onEach,
    getLatestBlockhash,
    slotMillis: Effect.sync(() => endpoints.slots.slotMillis),
    cordon: (cordons) =>
      Effect.sync(() => {
        if (endpoints.cordon(cordons)) showCordons()
      }),
    report: Effect.sync(() => {
      const stillMillis = endpoints.slots.stillMillis()
      return {
        switches: endpoints.switches,
        endpoints: all.map((endpoint) => reportOf(endpoint, endpoints, now())),
        ...(stillMillis !== undefined && { stillSeconds: Math.floor(stillMillis / 1_000) }),
        changes: endpoints.changes,
      }
    }),
  })
})
