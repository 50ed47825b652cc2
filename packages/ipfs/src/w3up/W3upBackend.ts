import { randomUUID } from "node:crypto"
import type { RequestOptions } from "@web3-storage/w3up-client/types"
import { Effect } from "effect"
import { carFile } from "../content/CarFile.ts"
import type { IpfsBackend } from "../backends/IpfsBackend.ts"
import { w3upClient, type W3upOptions } from "./W3upClient.ts"
import { w3upFailed, w3upFault, w3upFetch } from "./W3upRequests.ts"

/** w3up (web3.storage, later Storacha) as a backend: our blocks as one CAR, an index of it, and an upload of our root. */
export const w3upBackend = Effect.fnUntraced(function* (options: W3upOptions) {
  const client = yield* w3upClient(options)
  const { connection, url } = client.agent

  /** A call of the client, whose requests end with the fiber and are not repeated. */
  const call = (name: string, limitMillis: number, use: (request: RequestOptions) => Promise<unknown>) =>
    Effect.tryPromise({
      try: (signal) => {
        const fetch = w3upFetch(url, signal)
        const channel = Object.assign(Object.create(connection.channel), { fetch })
        // The service repeats its answer to an invocation that it has seen, hence a nonce.
        const once = { retries: 0, nonce: randomUUID() }
        return use({ ...once, fetch, connection: Object.assign(Object.create(connection), { channel }) })
      },
      catch: w3upFault,
    }).pipe(
      Effect.timeout(options.timeoutMillis ?? limitMillis),
      Effect.catchTag("TimeoutError", () => w3upFailed("no answer in time", false)),
      Effect.asVoid,
      Effect.withSpan(`W3upBackend.${name}`),
    )

  // Piece hashes for Filecoin would take seconds of the event loop. The types do not know that `null` disables them.
  const pieces = { pieceHasher: null } as object
  const put: IpfsBackend["put"] = (dag) =>
    call("put", 60_000, (request) =>
      client.uploadCAR(new Blob([carFile(dag)]), { ...request, ...pieces, rootCID: dag.root }),
    )
  // Stores the same 15 bytes each time: nothing less shows that the network accepts writes.
  const probe = call("probe", 10_000, (request) => client.capability.blob.add(new Blob(["launch-registry"]), request))
  return { name: "w3up", destination: client.currentSpace()!.did(), put, probe } satisfies IpfsBackend
})
