import { randomUUID } from "node:crypto"
import type { Client } from "@web3-storage/w3up-client"
import { Effect, type Redacted } from "effect"
import type { FileDag } from "../Dag.ts"
import { carFile } from "../CarFile.ts"
import { BackendFailed, type IpfsBackend } from "../IpfsBackend.ts"
import { type InvalidW3upSetting, readW3upCredentials, timeFault } from "./W3upCredentials.ts"
import { w3upFault } from "./W3upFault.ts"
import { type W3upRequests, w3upRequests } from "./W3upRequests.ts"
import { loadW3upSdk, type W3upNotInstalled } from "./W3upSdk.ts"

export interface W3upOptions {
  /** Private key of the agent that uploads (`IPFS_W3UP_KEY`). */
  readonly key: Redacted.Redacted
  /** Delegation of a space to that agent (`IPFS_W3UP_PROOF`). */
  readonly proof: Redacted.Redacted
  readonly serviceUrl?: string
  /** DID of the service in invocations. */
  readonly serviceDid?: `did:${string}:${string}`
  /** Receipts are at `<receiptsUrl>/<task>`; by default at `/receipt` of the service. */
  readonly receiptsUrl?: string
  readonly putTimeoutMillis?: number
  readonly probeTimeoutMillis?: number
}

const SERVICE_URL = "https://up.web3.storage"
const SERVICE_DID = "did:web:web3.storage"
const PUT_TIMEOUT_MILLIS = 60_000
const PROBE_TIMEOUT_MILLIS = 10_000

/** The content of the probe: a blob in the space, stored once. */
const PROBE = new Blob(["launch-registry"])

/**
 * w3up (web3.storage, later Storacha) as a backend: our blocks as one CAR, an index of it, and an upload of our root. Requests go
 * to the service, to its receipts, and to the storage URLs that the service returns.
 *
 * The probe adds the same blob of 15 bytes each time: one request, except for the first time. Nothing less shows whether the agent
 * is accepted, the space has storage and the network accepts writes.
 *
 * The client hashes and signs on the event loop. Filecoin piece hashes would take seconds, so pieces are not offered.
 */
export const w3upBackend = Effect.fnUntraced(function* (
  options: W3upOptions,
): Effect.fn.Return<IpfsBackend, InvalidW3upSetting | W3upNotInstalled> {
  const sdk = yield* loadW3upSdk
  const credentials = yield* readW3upCredentials(sdk, options)
  const serviceUrl = new URL(options.serviceUrl ?? SERVICE_URL)
  const receiptsUrl = new URL(`${(options.receiptsUrl ?? new URL("/receipt", serviceUrl).href).replace(/\/+$/, "")}/`)
  const access = { ...credentials, receiptsUrl, serviceDid: options.serviceDid ?? SERVICE_DID }
  const run = Effect.runPromiseExitWith(yield* Effect.context<never>())

  /** Runs the client; its requests end with the fiber. */
  const exchange = <A>(use: (client: Client, requests: W3upRequests) => Promise<A>) =>
    Effect.tryPromise({
      try: async (signal) => {
        const requests = w3upRequests(serviceUrl, signal, run)
        return await use(await sdk.connect(access, requests.channel), requests)
      },
      catch: w3upFault,
    })

  /** Fails at once if the proof is not valid now, and has a deadline. */
  const bounded = <A>(effect: Effect.Effect<A, BackendFailed>, timeoutMillis: number) =>
    Effect.flatMap(timeFault(credentials), (fault) =>
      fault === undefined ? effect : Effect.fail(failed(`the proof of IPFS_W3UP_PROOF ${fault}`, true)),
    ).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () => Effect.fail(failed(`no answer within ${timeoutMillis / 1_000} s`, false)),
      }),
    )

  const upload = (dag: FileDag) =>
    exchange((client, { fetch }) =>
      client.uploadCAR(new Blob([carFile(dag)]), { rootCID: dag.root, fetch, ...once(), ...WITHOUT_PIECES }),
    )

  const put: IpfsBackend["put"] = Effect.fn("W3upBackend.put")(function* (dag) {
    const root = yield* bounded(upload(dag), options.putTimeoutMillis ?? PUT_TIMEOUT_MILLIS)
    if (!dag.root.equals(root)) return yield* failed("the service confirmed another root", true, "upload")
  })

  const probe = bounded(
    Effect.asVoid(exchange((client, { fetch }) => client.capability.blob.add(PROBE, { fetch, ...once() }))),
    options.probeTimeoutMillis ?? PROBE_TIMEOUT_MILLIS,
  ).pipe(Effect.withSpan("W3upBackend.probe"))

  return { name: "w3up", destination: credentials.proof.capabilities[0].with, put, probe }
})

const failed = (reason: string, isPermanent: boolean, scope: BackendFailed["scope"] = "backend") =>
  new BackendFailed({ backend: "w3up", reason, isPermanent, scope })

/** A nonce, because the service repeats its answer to an invocation that it has seen. */
const once = () => ({ retries: 0, nonce: randomUUID() })

/** `null` disables hashing and `undefined` does not; the types allow hashers only. */
const WITHOUT_PIECES = { pieceHasher: null } as unknown as { readonly pieceHasher?: never }
