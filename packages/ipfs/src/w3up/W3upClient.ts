import type { Ability, ClientFactoryOptions } from "@web3-storage/w3up-client/types"
import { Effect, Redacted, Schema } from "effect"

/** A setting of the backend is invalid. It says what was expected and never the value. */
export class InvalidW3upSetting extends Schema.TaggedError<InvalidW3upSetting>()("InvalidW3upSetting", {
  setting: Schema.Literals(["IPFS_BACKEND", "IPFS_KEY", "IPFS_SECRET"]),
  message: Schema.String,
}) {}

/** The key of the agent that uploads, a delegation of a space to it, and another service than the public one. */
export interface W3upOptions {
  readonly key: Redacted.Redacted
  readonly proof: Redacted.Redacted
  readonly service?: Pick<ClientFactoryOptions, "serviceConf" | "receiptsEndpoint">
  readonly timeoutMillis?: number
}

const ABILITIES: ReadonlyArray<Ability> = ["space/blob/add", "space/index/add", "upload/add"]

/** Runs a step, whose failure means that a setting is invalid. */
const settle = <A>(setting: InvalidW3upSetting["setting"], expected: string, step: () => Promise<A>) =>
  Effect.tryPromise({
    try: step,
    catch: () => new InvalidW3upSetting({ setting, message: `${setting}: expected ${expected}` }),
  })

/** Optional packages, which take half a second to load. */
const load = () =>
  Promise.all([
    import("@web3-storage/w3up-client"),
    import("@web3-storage/w3up-client/proof"),
    import("@web3-storage/w3up-client/principal/ed25519"),
    import("@web3-storage/w3up-client/stores/memory"),
  ])

/** The client with its agent and space. */
export const w3upClient = Effect.fnUntraced(function* (options: W3upOptions) {
  const packages = "w3up only where the optional package @web3-storage/w3up-client can be loaded"
  const [w3up, proofs, ed25519, memory] = yield* settle("IPFS_BACKEND", packages, load)
  const key = "the private key of an agent, as `w3 key create` prints it (it begins with M)"
  const principal = yield* settle("IPFS_KEY", key, async () => ed25519.parse(Redacted.value(options.key).trim()))
  const store = new memory.StoreMemory()
  const client = yield* Effect.promise(() => w3up.create({ principal, store, ...options.service }))
  const proof = `a delegation in base64, valid now, of ${ABILITIES.join(", ")} on one space to ${principal.did()}`
  yield* settle("IPFS_SECRET", proof, async () => {
    const space = await client.addSpace(await proofs.parse(Redacted.value(options.proof).replace(/\s+/g, "")))
    const isProven = (can: Ability) => client.proofs([{ can, with: space.did() }]).length > 0
    return ABILITIES.every(isProven) || Promise.reject()
  })
  return client
})
