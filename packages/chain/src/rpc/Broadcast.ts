import type { Base64EncodedWireTransaction } from "@solana/kit"
import { Effect } from "effect"
import type { EndpointAnswer, Rpc } from "./Rpc.ts"
import { RpcError } from "./RpcError.ts"

/** An endpoint that takes longer has it or not; the next round asks again. */
const DEADLINE_MILLIS = 2_000

export interface BroadcastOptions {
  /** Whether nodes pass the transaction on without simulating it first. */
  readonly skipPreflight: boolean
}

/**
 * Sends signed bytes (base64) to every endpoint in use at once; cordoned ones get none. May be repeated as often as one likes:
 * identical bytes have one signature, which executes at most once. Nodes do not repeat it themselves (`maxRetries` 0).
 *
 * Empty when no endpoint is in use: nothing was sent.
 */
export const broadcast = (
  rpc: Rpc["Service"],
  wire: string,
  { skipPreflight }: BroadcastOptions,
): Effect.Effect<ReadonlyArray<EndpointAnswer<string>>> =>
  rpc.onEach((call) =>
    call((kit) =>
      kit.sendTransaction(wire as Base64EncodedWireTransaction, {
        ...{ encoding: "base64", maxRetries: 0n, skipPreflight },
        ...(skipPreflight ? {} : { preflightCommitment: "processed" }),
      }),
    ).pipe(
      Effect.timeoutOrElse({
        duration: DEADLINE_MILLIS,
        orElse: () => Effect.fail(new RpcError({ method: "sendTransaction", reason: { _tag: "TimedOut" } })),
      }),
    ),
  )
