import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import {
  answered,
  connect,
  itemsOf,
  land,
  pagesOf,
  type Registry,
  type StreamEvent,
  type Submission,
  walletHeaders,
  transactionVersionOf,
  walletStandardSign,
} from "@launch-registry/client"
import { SubmissionFigures } from "@launch-registry/server/submissions/SubmissionFigures"
import { submissionRound } from "@launch-registry/server/submissions/SubmissionRound"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fundedWallet, transfer, unsignedOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { signedBy } from "../../../chain/test/submissions/SignedBy.ts"
import { commitChanges, sampleChange } from "../../../server/test/stream/IndexChanges.ts"
import { draftOf, launch, launchConfig } from "../../../server/test/tokens/ChainLaunches.ts"
import { accessOf } from "../access/TestAccess.ts"
import { newWallet } from "../access/TestWallet.ts"
import { sampleAddress, sampleSignature, seededDraft, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const registryOf = (options: object = {}): Effect.Effect<Registry, never, TestServer> =>
  Effect.map(TestServer, ({ url }) => connect({ baseUrl: url, ...options }))

const collected = async <A>(items: AsyncIterable<A>, count = Number.POSITIVE_INFINITY): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) if (all.push(item) >= count) break
  return all
}

type Draft = Parameters<Registry["tokens"]["create"]>[0]["body"]

/** Every state of submissions is looked at again and again, as the service does. */
const rounds = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update launch_submissions set next_check_at = '-infinity' where settled_at is null`
  const { next } = yield* submissionRound
  yield* next
}).pipe(Effect.provide(SubmissionFigures.layer), Effect.repeat(Schedule.spaced("100 millis")))

const transferBuilt = Effect.gen(function* () {
  const { getLatestBlockhash } = yield* Rpc
  const wallet = yield* fundedWallet
  const lifetime = yield* getLatestBlockhash
  const lastValidBlockHeight = String(lifetime.lastValidBlockHeight)
  const built = (amount: bigint) => ({
    lastValidBlockHeight,
    transaction: unsignedOf(wallet, [transfer(wallet, 1_000_000n + amount)], lifetime),
  })
  const gone = { blockhash: sampleAddress(), lastValidBlockHeight: 7n }
  const expired = { lastValidBlockHeight: "7", transaction: unsignedOf(wallet, [transfer(wallet, 1n)], gone) }
  return { wallet, built, expired }
})

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")

layer(TestServer.layer(), { excludeTestServices: true })("The client package, against the service", (it) => {
  it.effect("registers once however often it is asked to, and says what is refused", () =>
    Effect.gen(function* () {
      const { tokens } = yield* registryOf()
      const body = seededDraft(SEEDED_MINTS.spl) as unknown as Draft
      const [first, again] = yield* Effect.promise(() =>
        Promise.all([1, 2].map(() => tokens.create({ body }, { idempotencyKey: "one-key-of-a-dapp" }))),
      )
      assert.isTrue(first!.success && again!.success, JSON.stringify([first, again]))
      assert.deepStrictEqual(answered(again!).data.id, answered(first!).data.id)
      const other = yield* Effect.promise(() => tokens.create({ body }))
      if (other.success || other.code !== "already_exists") assert.fail(JSON.stringify(other))
      assert.strictEqual(other.details.id, answered(first!).data.id)
      const found = answered(yield* Effect.promise(() => tokens.getByMint({ address: SEEDED_MINTS.spl })))
      assert.strictEqual(found.data.symbol, body.symbol)
      const missing = yield* Effect.promise(() => tokens.getByMint({ address: sampleAddress() }))
      assert.deepInclude(missing, { success: false, code: "not_found" })
      const bad = yield* Effect.promise(() => tokens.create({ body: { ...body, mintAddress: "x" } }))
      if (bad.success || bad.code !== "invalid_request") assert.fail(JSON.stringify(bad))
      assert.strictEqual(bad.issues[0]?.path, "body.mintAddress")
    }),
  )

  it.effect("reads lists to their end, whatever the page, and what has not changed once", () =>
    Effect.gen(function* () {
      const { tokens } = yield* registryOf({ etags: 10 })
      for (const name of ["First", "Second", "Third", "Fourth", "Fifth"])
        yield* Effect.promise(() => tokens.create({ body: tokenDraft({ name, launchpad: "launchpad_b" }) as never }))
      const whole = answered(yield* Effect.promise(() => tokens.list({ launchpad: "launchpad_b" })))
      for (const limit of [1, 2, 5, 6]) {
        const request = { launchpad: "launchpad_b", limit } as const
        const pages = yield* Effect.promise(() => collected(pagesOf(tokens.list, request)))
        assert.strictEqual(pages.length, Math.ceil(5 / limit))
        const rows = yield* Effect.promise(() => collected(itemsOf(tokens.list, request)))
        assert.deepStrictEqual(rows, whole.data)
      }
      const [{ mintAddress: address } = assert.fail()] = whole.data
      const [first, again] = [
        yield* Effect.promise(() => tokens.getByMint({ address })),
        yield* Effect.promise(() => tokens.getByMint({ address })),
      ]
      assert.strictEqual(answered(again).data, answered(first).data, "the answer is the one that was remembered")
      const refused = pagesOf(tokens.list, { limit: 0 }).next()
      const fault = yield* Effect.promise(() => refused.catch((error: { readonly code: string }) => error.code))
      assert.strictEqual(fault, "invalid_request")
    }),
  )

  it.effect("follows the chain from an event on", () =>
    Effect.gen(function* () {
      const { stream } = yield* registryOf()
      const mint = sampleAddress()
      const first = yield* commitChanges(sampleChange("pool", mint))
      yield* commitChanges(sampleChange("trade", mint), sampleChange("trade", sampleAddress()))
      yield* commitChanges(sampleChange("graduation", mint))
      const events = yield* Effect.promise(() =>
        collected(stream.changes({ mintAddresses: mint, lastEventId: String(first) }), 2),
      )
      assert.deepStrictEqual(
        events.map(({ event }: StreamEvent) => event),
        ["trade", "graduation"],
      )
      const [reset] = yield* Effect.promise(() => collected(stream.changes({ lastEventId: "999999" }), 1))
      assert.deepInclude(reset, { event: "reset", data: { reason: "unknown_id" } })
    }),
  )

  it.effect("has transactions signed and lands them, one after the other", () =>
    Effect.gen(function* () {
      yield* Effect.forkScoped(rounds)
      const registry = yield* registryOf()
      const { built, wallet } = yield* transferBuilt
      const account = { address: wallet.address }
      const walletOfUser = {
        features: {
          "solana:signTransaction": {
            supportedTransactionVersions: ["legacy", 0, 1] as const,
            signTransaction: async (input: { readonly account: object; readonly transaction: Uint8Array }) => {
              assert.strictEqual(input.account, account)
              const signed = await signedBy(wallet.keyPair, base64(input.transaction))
              return [{ signedTransaction: new Uint8Array(Buffer.from(signed, "base64")) }]
            },
          },
        },
      }
      assert.deepStrictEqual([transactionVersionOf(walletOfUser), transactionVersionOf({ features: {} })], [1, 0])
      const states: Array<[number, string]> = []
      const landed = yield* Effect.promise(() =>
        land(registry, [built(1n), built(2n)], {
          sign: walletStandardSign(walletOfUser, account, "solana:localnet"),
          commitment: "finalized",
          pollMillis: 50,
          onState: ({ state }, index) => states.push([index, state]),
        }),
      )
      if (!landed.success) assert.fail(JSON.stringify(landed))
      assert.deepStrictEqual(
        landed.submissions.map(({ state }: Submission) => state),
        ["finalized", "finalized"],
      )
      assert.deepStrictEqual(
        states.map(([index]) => index).toSorted(),
        states.map(([index]) => index),
      )
      assert.deepStrictEqual(states.at(-1), [1, "finalized"])
    }).pipe(Effect.scoped),
  )

  it.effect("builds what follows once the one before has landed, and says what was not signed in time", () =>
    Effect.gen(function* () {
      yield* Effect.forkScoped(rounds)
      const registry = yield* registryOf()
      const { built, expired, wallet } = yield* transferBuilt
      const order: Array<string> = []
      const sign = async (transaction: Uint8Array) => {
        order.push("signed")
        return Buffer.from(await signedBy(wallet.keyPair, base64(transaction)), "base64")
      }
      const later = async () => {
        order.push("built")
        return built(6n)
      }
      const onState = ({ state }: Submission) => void (state === "finalized" && order.push("landed"))
      const options = { sign, onState, commitment: "finalized", pollMillis: 50 } as const
      const landed = yield* Effect.promise(() => land(registry, [built(5n), later], options))
      assert.isTrue(landed.success, JSON.stringify(landed))
      assert.deepStrictEqual(order, ["signed", "landed", "built", "signed", "landed"])

      const old = yield* Effect.promise(() => land(registry, { ...built(7n), expiresInSeconds: 0 }, options))
      const lacking = { ...built(9n), missingPrograms: ["dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"] }
      const unsigned = yield* Effect.promise(() =>
        land(registry, lacking, { ...options, sign: () => Promise.reject(new Error("was signed")) }),
      )
      assert.deepInclude(unsigned, { success: false, code: "not_configured", submissions: [] })
      assert.deepInclude(old, { success: false, code: "transaction_expired", submissions: [] })
      assert.lengthOf(order, 5)
      const late = yield* Effect.promise(() => land(registry, expired, options))
      assert.deepInclude(late, { success: false, code: "transaction_expired", submissions: [] })
      assert.match(late.success ? "" : late.message, /signed after it had expired, and was not sent/)
      assert.strictEqual(late.success ? "" : late.refusal?.code, "blockhash_not_valid")
    }).pipe(Effect.scoped),
  )

  it.effect("does not have a transaction signed when the one before it did not land", () =>
    Effect.gen(function* () {
      const registry = yield* registryOf()
      const { built, wallet } = yield* transferBuilt
      let signed = 0
      const result = yield* Effect.promise(() =>
        land(registry, [built(1_000_000_000_000n), built(1n)], {
          sign: async (transaction) => {
            signed++
            return Buffer.from(await signedBy(wallet.keyPair, base64(transaction)), "base64")
          },
        }),
      )
      assert.deepInclude(result, { success: false, code: "simulation_failed", submissions: [] })
      assert.strictEqual(signed, 1)
      const unsigned = yield* Effect.promise(() => land(registry, built(3n), { sign: async (bytes) => bytes }))
      assert.deepInclude(unsigned, { success: false, code: "transaction_not_signed" })
      const rejected = land(registry, built(4n), { sign: () => Promise.reject(new Error("User rejected the request")) })
      assert.match(yield* Effect.promise(() => rejected.then(() => "landed", String)), /User rejected/)
      const unknown = yield* Effect.promise(() => registry.launch.submission({ signature: sampleSignature() }))
      assert.deepInclude(unknown, { success: false, code: "not_found" })
    }),
  )
})

const here = { url: "", network: "localnet" }
const site = {
  chainId: here.network,
  get uri() {
    return here.url
  },
  get domain() {
    return new URL(here.url).host
  },
}

layer(TestServer.layer({ access: accessOf({ writeAuth: ["wallet"], site }) }), { excludeTestServices: true })(
  "With WRITE_AUTH=wallet, the client package",
  (it) => {
    it.effect("signs writes with the wallet: JSON, uploads and deletions", () =>
      Effect.gen(function* () {
        here.url = (yield* TestServer).url
        const wallet = newWallet()
        let signatures = 0
        const signMessage = (message: Uint8Array) => {
          signatures++
          return wallet.signMessage(message)
        }
        const { ipfs, tokens } = yield* registryOf({ headers: walletHeaders(here, { ...wallet, signMessage }) })
        const body = draftOf(yield* launch({ config: yield* launchConfig(), creator: wallet.address }))
        const { id } = answered(yield* Effect.promise(() => tokens.create({ body: body as never }))).data
        const changed = yield* Effect.promise(() => tokens.update({ id, body: { description: "By its wallet" } }))
        assert.strictEqual(answered(changed).data.description, "By its wallet")
        const image = new Blob([Buffer.from("R0lGODlhAQABAAAAACw=", "base64")])
        const upload = yield* Effect.promise(() => ipfs.uploadImage({ body: { image } }))
        assert.isFalse(!upload.success && upload.code === "unauthenticated", JSON.stringify(upload))
        assert.strictEqual(signatures, 3)
        answered(yield* Effect.promise(() => tokens.remove({ id })))
        const open = yield* registryOf()
        const refused = yield* Effect.promise(() => open.tokens.create({ body: body as never }))
        assert.deepInclude(refused, { success: false, code: "unauthenticated" })
      }),
    )
  },
)
