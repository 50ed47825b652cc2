import type * as W3up from "@web3-storage/w3up-client"
import type { Delegation, DID, ServiceConf, Signer } from "@web3-storage/w3up-client/types"
import { Effect, Schema } from "effect"

/** The package of the w3up client cannot be loaded: it is an optional dependency. */
export class W3upNotInstalled extends Schema.TaggedError<W3upNotInstalled>()("W3upNotInstalled", {}) {
  override get message(): string {
    return "w3up in IPFS_BACKEND needs the optional package @web3-storage/w3up-client, which is not installed"
  }
}

/** What the client sends its messages through, and where to. */
export interface W3upChannel {
  readonly url: URL
  readonly request: (message: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
  }) => Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }>
}

/** An agent, a delegation to it, and the service that both are used with. */
export interface W3upAccess {
  readonly agent: Signer<DID<"key">>
  readonly proof: Delegation
  /** How the service is called in messages to it, as `did:web:web3.storage`. */
  readonly serviceDid: `did:${string}:${string}`
  readonly receiptsUrl: URL
}

/**
 * The part of w3up's client that the service uses. The client is 44 MB of packages, half a second to load and 45 MB of
 * memory, so it is imported here alone, and only when the backend is made.
 */
export interface W3upSdk {
  /** Throws when the text is no ed25519 agent key. */
  readonly parseKey: (text: string) => Signer<DID<"key">>
  /** Rejects when the text is no delegation. */
  readonly parseProof: (text: string) => Promise<Delegation>
  /** A client of its own for one exchange, which keeps nothing but memory and talks to the service by this channel. */
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
 * The client's own connection with another service and channel. The package that makes connections is a dependency of
 * the client alone, and its types ask for a channel that knows the schemas of all capabilities: hence by prototype.
 */
const connectionLike = (
  template: object,
  own: { readonly id: { did(): string }; readonly channel: W3upChannel },
): ServiceConf["access"] & ServiceConf["upload"] & ServiceConf["filecoin"] =>
  Object.assign(Object.create(template), own)
