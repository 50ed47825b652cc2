import { OneStepLaunches, type OneStepLaunch } from "@launch-registry/chain/launches/OneStepLaunches"
import { requireWallet } from "@launch-registry/domain/access/Caller"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { MetadataUploads } from "@launch-registry/domain/ipfs/MetadataUploads"
import type { CreateRequest } from "@launch-registry/domain/launch/CreateLaunch"
import type { LaunchMetadata } from "@launch-registry/domain/launch/LaunchRequests"
import { Effect, Redacted } from "effect"
import { answersOf } from "@launch-registry/http/answers/Answers"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { sentOnce } from "@launch-registry/http/idempotency/StoredResponse"
import { builtLaunches } from "./BuiltLaunches.ts"
import { withNextStep } from "./NextStep.ts"

const { respond } = answersOf("launch")

/** What a creator publishes about the pool on chain. */
export const publishedTexts = ({ imageUri = "", name, website = "" }: LaunchMetadata) => ({
  ...{ name, website, logo: imageUri },
})

/** Fields that contradict each other. */
const contradictions = (payload: CreateRequest): ReadonlyArray<InvalidIssue> => {
  const issues: Array<InvalidIssue> = []
  const not = (path: string, isThere: boolean, instead: string) => {
    if (isThere) issues.push({ path: `body.${path}`, message: `expected nothing here with ${instead}` })
  }
  if (payload.config !== undefined)
    for (const field of ["launchpad", "quoteMint", "dbcConfig"] as const)
      not(field, payload[field] !== undefined, "config, whose configuration exists")
  not("mintAddress", payload.mintAddress !== undefined && payload.mintKeypair !== undefined, "mintKeypair")
  const { minimumAmountOut, slippageBps } = payload.firstBuy ?? {}
  not("firstBuy.slippageBps", minimumAmountOut !== undefined && slippageBps !== undefined, "minimumAmountOut")
  return issues
}

const mintSource = ({ mintAddress, mintKeypair }: CreateRequest): OneStepLaunch["mint"] => {
  if (mintKeypair !== undefined) return { _tag: "KeyPair", secretKey: Redacted.make(mintKeypair.secretKey) }
  return mintAddress === undefined ? { _tag: "Generated" } : { _tag: "Address", address: mintAddress }
}

const message = (transactions: number, hasConfig: boolean, missing: ReadonlyArray<string>): string =>
  [
    transactions === 1
      ? "Sign and send the transaction to launch the token"
      : hasConfig
        ? `Sign and send the first of ${transactions} transactions; once it is confirmed, ask again with config, so that the rest has a fresh blockhash`
        : `Sign the ${transactions} transactions, and send each once those that it requires are confirmed`,
    ...missing,
  ].join(". ")

/** Handler of `POST /api/launch/create`. */
export const createLaunch = Effect.gen(function* () {
  const launches = yield* OneStepLaunches
  const memory = yield* builtLaunches
  const uploads = yield* MetadataUploads
  const requests = yield* IdempotentRequests
  const stepping = yield* withNextStep

  return Effect.fn("createLaunch")(function* (payload: CreateRequest) {
    const { config, dbcConfig, firstBuy, launchpad = "launchpad_a", metadata, quoteMint, signer } = payload
    yield* requireWallet(signer, "the signer")
    const issues = contradictions(payload)
    if (issues.length > 0) return yield* new InvalidRequest({ issues })
    const uri = metadata.uri ? metadata.uri : (yield* uploads.uploadMetadata(metadata)).uri
    const { created, ...built } = yield* launches.build({
      signer,
      label: { name: metadata.name, symbol: metadata.symbol, uri },
      config: config ?? { launchpad, ...(dbcConfig && { dbcConfig }), ...(quoteMint && { quoteMint }) },
      mint: mintSource(payload),
      ...(payload.poolMetadata === true && { poolMetadata: publishedTexts(metadata) }),
      ...{ priorityFee: payload.priorityFee, transactionVersion: payload.transactionVersion },
      ...(firstBuy && { firstBuy: { ...firstBuy, amountIn: firstBuy.amount } }),
    })
    const unnamed =
      created === undefined || created.fees.isFeeClaimerNamed
        ? []
        : [
            `The signer claims the platform's trading fees: neither the request nor LAUNCHPADS names a feeClaimer for ${launchpad}`,
          ]
    const next = message(built.transactions.length, config === undefined, unnamed)
    const answer = (key: { readonly secretKey?: string }) => {
      const keypair = created && { dbcConfigKeypair: { publicKey: created.configAddress, ...key } }
      return respond("create", stepping({ ...built, ...keypair, uri }, next), { "cache-control": "no-store" })
    }
    const response =
      created === undefined
        ? answer({})
        : sentOnce(answer({ secretKey: Redacted.value(created.secretKey) }), answer({}))
    const deployment = {
      ...{ baseMint: built.mintAddress, configAddress: built.config, pool: built.pool, signer, uri, metadata },
    }
    const remembered = Effect.andThen(
      created === undefined ? Effect.void : memory.addConfig({ ...created, signer, launchpad, metadata }),
      memory.addDeployment(deployment),
    )
    return yield* requests.commit(Effect.as(remembered, response))
  })
})
