import type { Delegation, DID, Signer } from "@web3-storage/w3up-client/types"
import { Clock, Effect, Redacted, Schema } from "effect"
import type { W3upSdk } from "./W3upSdk.ts"

/** A setting of the backend is invalid. It says what was expected and never the value. */
export class InvalidW3upSetting extends Schema.TaggedError<InvalidW3upSetting>()("InvalidW3upSetting", {
  setting: Schema.Literals(["IPFS_W3UP_KEY", "IPFS_W3UP_PROOF"]),
  expected: Schema.String,
}) {
  override get message(): string {
    return `${this.setting}: expected ${this.expected}`
  }
}

/** The abilities that uploads and the probe invoke. */
const UPLOAD_ABILITIES = ["space/blob/add", "space/index/add", "upload/add"]

/** The uploading agent, and the delegation of the space to it. */
export interface W3upCredentials {
  readonly agent: Signer<DID<"key">>
  readonly proof: Delegation
  readonly validFromMillis: number
  /** The earliest expiration in the chain of proofs; infinite if there is none. */
  readonly expiresAtMillis: number
}

/**
 * `key`: an ed25519 agent key; `proof`: a base64 delegation of a space to that agent. Only the service can check that the chain of
 * proofs starts at the space.
 */
export const readW3upCredentials = Effect.fnUntraced(function* (
  { parseKey, parseProof }: W3upSdk,
  secrets: { readonly key: Redacted.Redacted; readonly proof: Redacted.Redacted },
): Effect.fn.Return<W3upCredentials, InvalidW3upSetting> {
  const wrongProof = (expected: string) => new InvalidW3upSetting({ setting: "IPFS_W3UP_PROOF", expected })

  const agent = yield* Effect.tryPromise({
    try: async () => signing(parseKey(Redacted.value(secrets.key).trim())),
    catch: () =>
      new InvalidW3upSetting({
        setting: "IPFS_W3UP_KEY",
        expected: "the private key of an ed25519 agent, as `w3 key create` prints it (it begins with M)",
      }),
  })
  const proof = yield* Effect.tryPromise({
    try: async () => whole(await parseProof(Redacted.value(secrets.proof).replace(/\s+/g, ""))),
    catch: () => wrongProof("a delegation of a space in base64, as `w3 delegation create --base64` prints it"),
  })

  if (proof.audience.did() !== agent.did())
    return yield* wrongProof(`a delegation to ${agent.did()}, which is the agent of IPFS_W3UP_KEY`)
  const mayDo = (ability: string) =>
    proof.capabilities.some(({ can, with: space }) => space === proof.capabilities[0].with && covers(can, ability))
  if (!proof.capabilities[0].with.startsWith("did:key:") || !UPLOAD_ABILITIES.every(mayDo))
    return yield* wrongProof(`a delegation of ${UPLOAD_ABILITIES.join(", ")} on one space`)
  const credentials = { agent, proof, ...validity(proof) }
  const fault = yield* timeFault(credentials)
  if (fault !== undefined) return yield* wrongProof(`a delegation that can be used now; this one ${fault}`)
  return credentials
})

/** Why the proof is not valid now, if so. */
export const timeFault = ({ expiresAtMillis, validFromMillis }: W3upCredentials): Effect.Effect<string | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    if (now >= expiresAtMillis) return `expired on ${new Date(expiresAtMillis).toISOString()}`
    if (now < validFromMillis) return `is valid from ${new Date(validFromMillis).toISOString()} on`
    return undefined
  })

/** The key, if its public half belongs to its private half. */
const signing = async (key: Signer<DID<"key">>): Promise<Signer<DID<"key">>> => {
  const text = new TextEncoder().encode("launch-registry")
  const signature = await key.sign(text)
  if (!(await key.verifier.verify(text, signature))) throw new Error("The halves of the key do not match")
  return key
}

/** The delegation, with everything that is used of it decoded: the client decodes lazily. */
const whole = (proof: Delegation): Delegation => {
  if (proof.capabilities.length === 0) throw new Error("The delegation delegates nothing")
  proof.audience.did()
  validity(proof)
  return proof
}

const validity = (proof: Delegation): { readonly validFromMillis: number; readonly expiresAtMillis: number } => {
  const chain = [...delegations(proof)]
  return {
    validFromMillis: Math.max(...chain.map(({ notBefore }) => (notBefore ?? 0) * 1_000)),
    expiresAtMillis: Math.min(...chain.map(({ expiration }) => expiration * 1_000)),
  }
}

/** A delegation and the proofs it includes. */
function* delegations(proof: Delegation): Generator<Delegation> {
  yield proof
  for (const other of proof.proofs) if ("capabilities" in other) yield* delegations(other)
}

/** Abilities are paths; a trailing `*` covers all below. */
const covers = (can: string, ability: string): boolean =>
  can === ability || can === "*" || (can.endsWith("/*") && ability.startsWith(can.slice(0, -1)))
