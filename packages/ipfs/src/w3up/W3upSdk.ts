import type * as W3up from "@web3-storage/w3up-client"
import type { Delegation, DID, ServiceConf, Signer } from "@web3-storage/w3up-client/types"
import { Effect, Schema } from "effect"

/** The w3up client is an optional dependency and is not installed. */
export class W3upNotInstalled extends Schema.TaggedError<W3upNotInstalled>()("W3upNotInstalled", {}) {
  override get message(): string {
    return "w3up in IPFS_BACKEND needs the optional package @web3-storage/w3up-client, which is not installed"
  }
}

/** The transport of the client. */
export interface W3upChannel {
  readonly url: URL
  readonly request: (message: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
  }) => Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }>
}

/** An agent, a delegation to it, and the service. */
export interface W3upAccess {
  readonly agent: Signer<DID<"key">>
  readonly proof: Delegation
  /** DID of the service in invocations, such as `did:web:web3.storage`. */
  readonly serviceDid: `did:${string}:${string}`
  readonly receiptsUrl: URL
}

/**
 * The part of w3up's client that is used. The client is 44 MB of packages and takes half a second to load, so it is imported only
 * here, and only when the backend is made.
 */
export interface W3upSdk {
  /** Throws if the text is not an ed25519 agent key. */
  readonly parseKey: (text: string) => Signer<DID<"key">>
  /** Rejects if the text is not a delegation. */
  readonly parseProof: (text: string) => Promise<Delegation>
  /** A client for one exchange, with an in-memory store, that sends through this channel. */
  readonly connect: (access: W3upAccess, channel: W3upChannel) => Promise<W3up.Client>
}

let loading: Promise<W3upSdk> | undefined

/** The client, loaded once. */
export const loadW3upSdk: Effect.Effect<W3upSdk, W3upNotInstalled> = Effect.tryPromise({
  try: () => (loading ??= load()),
  catch: (error) => error,
}).pipe(Effect.catch((error) => (isMissing(error) ? Effect.fail(new W3upNotInstalled()) : Effect.die(error))))

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"

const load = async (): Promise<W3upSdk> => {
  const [w3up, { parse: parseProof }, { parse: parseKey }, { StoreMemory }] = await Promise.all([
    import("@web3-storage/w3up-client"),
    import("@web3-storage/w3up-client/proof"),
    import("@web3-storage/w3up-client/principal/ed25519"),
    import("@web3-storage/w3up-client/stores/memory"),
  ])
  const template = (await w3up.create({ store: new StoreMemory() })).agent.connection

  return {
    parseKey: (text) => parseKey(text),
    parseProof,
    connect: async ({ agent, proof, receiptsUrl, serviceDid }, channel) => {
      const connection = connectionLike(template, { id: { did: () => serviceDid }, channel })
      const client = await w3up.create({
        principal: agent,
        store: new StoreMemory(),
        serviceConf: { access: connection, upload: connection, filecoin: connection },
        receiptsEndpoint: receiptsUrl,
      })
      await client.addSpace(proof)
      return client
    },
  }
}

/**
 * The client's own connection with another service and channel. Only the client depends on the package that makes connections,
 * and its types require a channel with the schemas of all capabilities: hence by prototype.
 */
const connectionLike = (
  template: object,
  own: { readonly id: { did(): string }; readonly channel: W3upChannel },
): ServiceConf["access"] & ServiceConf["upload"] & ServiceConf["filecoin"] =>
  Object.assign(Object.create(template), own)
