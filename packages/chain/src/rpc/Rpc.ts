import { type Rpc as KitRpc, type SolanaRpcApi } from "@solana/kit"
import { Clock, Context, Effect, Layer, Predicate, Random, type Redacted, Semaphore } from "effect"
import { Endpoint, type EndpointStatus } from "./Endpoint.ts"
import { GENESIS_HASH, type Network } from "./Network.ts"
import { faultOf, RpcError, type RpcFault } from "./RpcError.ts"

/** An attempt that has no answer by then is a failure of its endpoint: with two endpoints a call ends within 2.5 s. */
const DEADLINE_MILLIS = 1_000
/** Scans over all accounts of a program take longer than any other read. */
const SCAN_DEADLINE_MILLIS = 8_000
const RETRY_JITTER_MILLIS = 150
/** A blockhash is good for 150 slots, about a minute; one this old has lost none that matter. */
const BLOCKHASH_FRESH_MILLIS = 2_000

/** A blockhash a transaction can be built on, and the last block height at which it can land. */
export interface LatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
  readonly slot: bigint
}

/** How a call may be treated. */
export interface CallOptions {
  /** Reads many accounts: gets a longer deadline. */
  readonly isScan?: boolean
}

type Call = <A>(
  method: string,
  request: (rpc: KitRpc<SolanaRpcApi>, abortSignal: AbortSignal) => Promise<A>,
  options?: CallOptions,
) => Effect.Effect<A, RpcError>

/**
 * The chain over any number of RPC endpoints, in order of preference. A read goes to the first that is available and
 * moves on when that one fails; a request that the node itself rejects is rejected at once. Sending is no read: use it
 * for signed bytes alone, which cannot execute twice.
 */
export class Rpc extends Context.Service<
  Rpc,
  {
    readonly call: Call
    /** A recent confirmed blockhash, shared by all callers for two seconds. */
    readonly getLatestBlockhash: Effect.Effect<LatestBlockhash, RpcError>
    /** What was last seen of every endpoint. Calls nothing. */
    readonly status: Effect.Effect<ReadonlyArray<EndpointStatus>>
  }
>()("@launch-registry/chain/rpc/Rpc") {
  /** Endpoints in order of preference; each must be of `network` before it is used. */
  static readonly layer = (options: { readonly urls: ReadonlyArray<Redacted.Redacted>; readonly network: Network }) =>
    Layer.effect(
      Rpc,
      Effect.gen(function* () {
        const endpoints = options.urls.map((url, index) => new Endpoint(nameOf(index), url))
        const call = makeCall(endpoints, options.network)
        return Rpc.of({
          call,
          getLatestBlockhash: yield* warmBlockhash(call),
          status: Effect.sync(() => endpoints.map(({ status }) => status)),
        })
      }),
    )
}

const nameOf = (index: number): string => (index === 0 ? "primary" : index === 1 ? "backup" : `backup-${index}`)

const makeCall = (endpoints: ReadonlyArray<Endpoint>, network: Network): Call => {
  const attempt = <A>(
    endpoint: Endpoint,
    method: string,
    send: (signal: AbortSignal) => Promise<A>,
    deadlineMillis: number,
  ) =>
    Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeMillis
      const isProbe = endpoint.began()
      const answer = yield* Effect.tryPromise({ try: send, catch: faultOf }).pipe(
        Effect.timeoutOrElse({
          duration: deadlineMillis,
          orElse: () => Effect.fail<RpcFault>({ _tag: "TimedOut" }),
        }),
        Effect.onInterrupt(() => Effect.sync(() => endpoint.abandoned(isProbe))),
        Effect.tapError((fault) => recordFault(endpoint, method, fault, isProbe)),
      )
      const now = yield* Clock.currentTimeMillis
      const slot = contextSlot(answer)
      if (slot !== undefined) endpoint.sawSlot(slot)
      if (endpoint.succeeded(now - startedAt)) yield* Effect.logInfo(`RPC ${endpoint.name} is back`)
      return answer
    })

  const verify = Effect.fnUntraced(function* (endpoint: Endpoint) {
    const expected = GENESIS_HASH[network]
    if (endpoint.isVerified || expected === undefined) return
    const request = (abortSignal: AbortSignal) => endpoint.rpc.getGenesisHash().send({ abortSignal })
    const genesis: string = yield* attempt(endpoint, "getGenesisHash", request, DEADLINE_MILLIS)
    if (genesis !== expected) {
      const fault: RpcFault = { _tag: "WrongCluster" }
      yield* recordFault(endpoint, "getGenesisHash", fault, false)
      return yield* Effect.fail(fault)
    }
    endpoint.isVerified = true
  })

  return Effect.fnUntraced(function* (method, request, { isScan = false } = {}) {
    const deadlineMillis = isScan ? SCAN_DEADLINE_MILLIS : DEADLINE_MILLIS
    const tryOnce = (endpoint: Endpoint) =>
      Effect.andThen(
        verify(endpoint),
        attempt(endpoint, method, (abortSignal) => request(endpoint.rpc, abortSignal), deadlineMillis),
      )
    let last: RpcFault = { _tag: "NoEndpoint" }
    // One endpoint has no other to move on to: it gets a second chance after a jittered moment.
    const rounds = endpoints.length === 1 ? 2 : 1
    for (let round = 0; round < rounds; round++) {
      if (round > 0) yield* Effect.sleep(RETRY_JITTER_MILLIS * (0.5 + (yield* Random.next)))
      for (const endpoint of endpoints) {
        if (!endpoint.isAvailable(yield* Clock.currentTimeMillis)) continue
        const result = yield* Effect.result(tryOnce(endpoint))
        if (result._tag === "Success") return result.success
        last = result.failure
        if (last._tag === "Rejected") return yield* new RpcError({ method, reason: last })
      }
    }
    return yield* new RpcError({ method, reason: last })
  })
}

/** The slot an answer was made at, where the method says so. */
const contextSlot = (answer: unknown): bigint | undefined =>
  Predicate.hasProperty(answer, "context") && Predicate.hasProperty(answer.context, "slot")
    ? BigInt(answer.context.slot as bigint)
    : undefined

const recordFault = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  method: string,
  fault: RpcFault,
  isProbe: boolean,
) {
  // The node answered; that it does not like the request, or does not keep what is asked for, says nothing against it.
  if (fault._tag === "Rejected" || fault._tag === "NotHere") return void endpoint.succeeded()
  if (endpoint.failed(fault, yield* Clock.currentTimeMillis, isProbe)) {
    yield* Effect.logWarning(`RPC ${endpoint.name} is out of use: ${fault._tag} on ${method}`)
  }
})

/** One caller fetches, all others share what it got. */
const warmBlockhash = Effect.fnUntraced(function* (call: Call) {
  const one = yield* Semaphore.make(1)
  let known: { readonly value: LatestBlockhash; readonly atMillis: number } | undefined
  const fresh = (nowMillis: number) =>
    known !== undefined && nowMillis - known.atMillis < BLOCKHASH_FRESH_MILLIS ? known.value : undefined
  return Effect.gen(function* () {
    const warm = fresh(yield* Clock.currentTimeMillis)
    if (warm !== undefined) return warm
    return yield* one.withPermits(1)(
      Effect.gen(function* () {
        const atMillis = yield* Clock.currentTimeMillis
        const shared = fresh(atMillis)
        if (shared !== undefined) return shared
        const { context, value } = yield* call("getLatestBlockhash", (rpc, abortSignal) =>
          rpc.getLatestBlockhash({ commitment: "confirmed" }).send({ abortSignal }),
        )
        known = { value: { ...value, slot: context.slot }, atMillis }
        return known.value
      }),
    )
  })
})
