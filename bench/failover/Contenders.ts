import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import {
  createDefaultRpcTransport,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  type RpcTransport,
} from "@solana/kit"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"

/** A way to read from two endpoints. */
export interface Contender {
  /** Reads a value that no other call reads; resolves to the number of the endpoint that answered. */
  readonly read: (n: number) => Promise<number>
  /** The slot of the blockhash that a transaction would be built on. */
  readonly blockhashSlot: () => Promise<bigint>
  readonly report: () => Promise<Effect.Success<Rpc["Service"]["report"]> | undefined>
  readonly close: () => Promise<void>
}

export type ContenderName = "single" | "naive" | "kit recipe" | "ours"

const NAIVE_TIMEOUT_MILLIS = 2_000
/** kit has no deadline of its own; the client gives up after this. */
const PATIENCE_MILLIS = 10_000

/** kit without a backup: the baseline without faults. */
const single = (urls: ReadonlyArray<string>): Contender => plain(urls.slice(0, 1), PATIENCE_MILLIS)

/** The usual hand-written failover: one endpoint after the other, each with a timeout. */
const naive = (urls: ReadonlyArray<string>): Contender => plain(urls, NAIVE_TIMEOUT_MILLIS)

const plain = (urls: ReadonlyArray<string>, timeoutMillis: number): Contender => {
  const endpoints = urls.map((url) => createSolanaRpc(url))
  const inOrder = async <A>(ask: (rpc: (typeof endpoints)[number], abortSignal: AbortSignal) => Promise<A>) => {
    let last: unknown
    for (const endpoint of endpoints) {
      try {
        return await ask(endpoint, AbortSignal.timeout(timeoutMillis))
      } catch (error) {
        last = error
      }
    }
    throw last
  }
  return {
    read: (n) =>
      inOrder(async (rpc, abortSignal) =>
        Number(await rpc.getMinimumBalanceForRentExemption(BigInt(n)).send({ abortSignal })),
      ),
    blockhashSlot: () =>
      inOrder(async (rpc, abortSignal) => (await rpc.getLatestBlockhash().send({ abortSignal })).context.slot),
    report: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
}

/** Failover as kit's documentation shows it: a transport that tries the transports of all endpoints in order. */
const kitRecipe = (urls: ReadonlyArray<string>): Contender => {
  const transports = urls.map((url) => createDefaultRpcTransport({ url }))
  const failover = async (request: Parameters<RpcTransport>[0]) => {
    let last: unknown
    for (const transport of transports) {
      try {
        return await transport(request)
      } catch (error) {
        last = error
      }
    }
    throw last
  }
  const rpc = createSolanaRpcFromTransport(failover as RpcTransport)
  const abortSignal = () => AbortSignal.timeout(PATIENCE_MILLIS)
  return {
    read: async (n) =>
      Number(await rpc.getMinimumBalanceForRentExemption(BigInt(n)).send({ abortSignal: abortSignal() })),
    blockhashSlot: async () => (await rpc.getLatestBlockhash().send({ abortSignal: abortSignal() })).context.slot,
    report: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
}

const ours = (urls: ReadonlyArray<string>, genesisHash: string): Contender => {
  const runtime = ManagedRuntime.make(
    Rpc.layer({ urls: urls.map((url) => Redacted.make(url)), genesisHash: genesisHash || ANY_GENESIS }).pipe(
      Layer.provide(Logger.layer([])),
    ),
  )
  const run = <A, E>(use: (rpc: Rpc["Service"]) => Effect.Effect<A, E>) => runtime.runPromise(Effect.flatMap(Rpc, use))
  return {
    read: async (n) => Number(await run(({ call }) => call((kit) => kit.getMinimumBalanceForRentExemption(BigInt(n))))),
    blockhashSlot: async () => (await run(({ getLatestBlockhash }) => getLatestBlockhash)).slot,
    report: () => run(({ report }) => report),
    close: () => runtime.dispose(),
  }
}

export const contenderOf = (name: ContenderName, urls: ReadonlyArray<string>, genesisHash: string): Contender => {
  if (name === "ours") return ours(urls, genesisHash)
  if (name === "kit recipe") return kitRecipe(urls)
  return name === "single" ? single(urls) : naive(urls)
}
