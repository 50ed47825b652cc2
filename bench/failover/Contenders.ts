import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import {
  createDefaultRpcTransport,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  type RpcTransport,
} from "@solana/kit"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"

/** Reads a value that no other call reads, from one of two endpoints; resolves to the number of the one that answered. */
export type Read = (n: number) => Promise<number>

const NAIVE_TIMEOUT_MILLIS = 2_000
/** kit has no deadline of its own; the client gives up after this. */
const PATIENCE_MILLIS = 10_000

const firstOf = async <A, B>(all: ReadonlyArray<A>, ask: (one: A) => Promise<B>): Promise<B> => {
  let last: unknown
  for (const one of all) {
    try {
      return await ask(one)
    } catch (error) {
      last = error
    }
  }
  throw last
}

const readBy =
  (rpc: ReturnType<typeof createSolanaRpc>, millis: number): Read =>
  async (n) =>
    Number(await rpc.getMinimumBalanceForRentExemption(BigInt(n)).send({ abortSignal: AbortSignal.timeout(millis) }))

/** Ways to read from two endpoints. */
export const CONTENDERS: Readonly<Record<string, (urls: ReadonlyArray<string>, genesisHash: string) => Read>> = {
  /** Without a backup: the baseline where all is well. */
  single: ([url]) => readBy(createSolanaRpc(url!), PATIENCE_MILLIS),
  /** The usual hand-written failover: one endpoint after the other, each with a timeout. */
  naive: (urls) => {
    const reads = urls.map((url) => readBy(createSolanaRpc(url), NAIVE_TIMEOUT_MILLIS))
    return (n) => firstOf(reads, (read) => read(n))
  },
  /** As kit's documentation shows it: a transport that tries the transports of all endpoints in order. */
  "kit recipe": (urls) => {
    const transports = urls.map((url) => createDefaultRpcTransport({ url }))
    const failover = (request: Parameters<RpcTransport>[0]) => firstOf(transports, (transport) => transport(request))
    return readBy(createSolanaRpcFromTransport(failover as RpcTransport), PATIENCE_MILLIS)
  },
  ours: (urls, genesisHash) => {
    const layer = Rpc.layer({ urls: urls.map((url) => Redacted.make(url)), genesisHash })
    const runtime = ManagedRuntime.make(Layer.provide(layer, Logger.layer([])))
    return async (n) =>
      Number(
        await runtime.runPromise(
          Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.getMinimumBalanceForRentExemption(BigInt(n)))),
        ),
      )
  },
}
