import { associatedTokenAddress, poolAddress, vaultAddress } from "@launch-registry/chain/accounts/DerivedAddresses"
import * as Programs from "@launch-registry/chain/accounts/Programs"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../../../service/test/TestServer.ts"
import { SIGNER } from "./BuildRequests.ts"

const METADATA = { name: "Keys", symbol: "KEYS", uri: "https://example.com/keys.json" }
const [{ baseMint: MINT, config: CONFIG, pool: POOL }] = SEEDED_POOLS as [(typeof SEEDED_POOLS)[number]]

/** What the programs sign with. */
const AUTHORITIES: ReadonlyArray<string> = [
  ...[Programs.DBC_POOL_AUTHORITY, Programs.DBC_EVENT_AUTHORITY],
  ...[Programs.DAMM_V2_POOL_AUTHORITY, Programs.DAMM_V2_EVENT_AUTHORITY],
]

/** Addresses without a private key, on the curve or not. */
const RESERVED_ADDRESSES = [
  ...Object.values(Programs).filter((value) => typeof value === "string" && !AUTHORITIES.includes(value)),
  ...["ComputeBudget111111111111111111111111111111", "Vote111111111111111111111111111111111111111"],
  ...["Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo", "SysvarRent111111111111111111111111111111111"],
  ...["Ed25519SigVerify111111111111111111111111111", "1nc1nerator11111111111111111111111111111111"],
] as ReadonlyArray<string>

/** Accounts that programs sign for, like vaults of multisigs. */
const derived = Effect.promise(async () => [
  ...[...AUTHORITIES, POOL],
  await poolAddress(CONFIG, SIGNER, Programs.NATIVE_MINT),
  await vaultAddress(Programs.NATIVE_MINT, POOL),
  await associatedTokenAddress(SIGNER, MINT, Programs.TOKEN_PROGRAM),
])

interface Fields {
  readonly signer?: string
  readonly quoteMint?: string
  readonly feeClaimer?: string
  readonly leftoverReceiver?: string
  readonly baseMint?: string
  readonly mintAddress?: string
  readonly config?: string
  readonly referralTokenAccount?: string
}

const configBody = ({ feeClaimer, leftoverReceiver, quoteMint, signer = SIGNER }: Fields) => ({
  ...{ metadata: METADATA, signer, ...(quoteMint && { quoteMint }) },
  dbcConfig: { ...(feeClaimer && { feeClaimer }), ...(leftoverReceiver && { leftoverReceiver }) },
})

const deployBody = ({ mintAddress, config = CONFIG, signer = SIGNER }: Fields) => ({
  ...{ metadata: METADATA, signer, ...(mintAddress && { mintAddress }) },
  dbcConfigKeypair: { publicKey: [...decodeBase58(config)!] },
})

const swapBody = ({ baseMint = MINT, referralTokenAccount, signer = SIGNER }: Fields) => ({
  ...{ baseMint, signer, amount: 1_000_000, swapBaseForQuote: false },
  ...(referralTokenAccount && { referralTokenAccount }),
})

/** The endpoints that build transactions, and their address fields. */
const BUILDERS = {
  "dbc-config": { body: configBody, fields: ["signer", "quoteMint", "feeClaimer", "leftoverReceiver"] },
  "deploy-token": { body: deployBody, fields: ["signer", "mintAddress", "config"] },
  swap: { body: swapBody, fields: ["signer", "baseMint", "referralTokenAccount"] },
} as const
type Builder = keyof typeof BUILDERS
const ALL = Object.keys(BUILDERS) as ReadonlyArray<Builder>

const build = (builder: Builder, fields: Fields) =>
  Effect.flatMap(TestServer, ({ request }) =>
    request(`/api/launch/${builder}`, { json: BUILDERS[builder].body(fields) }),
  )

/** Refused with an issue of this field. */
const assertRefused = (builder: Builder, fields: Fields, path: string, word: RegExp) =>
  Effect.map(build(builder, fields), ({ body, status }) => {
    const said = `${builder} ${JSON.stringify(fields)}: ${JSON.stringify(body)}`
    assert.strictEqual(status, 400, said)
    const issue = body.issues.find((one: { readonly path: string }) => one.path === path)
    assert.match(issue?.message ?? "", word, said)
  })

const assertBuilt = (builder: Builder, fields: Fields) =>
  Effect.map(build(builder, fields), ({ body, status }) =>
    assert.strictEqual(status, 200, `${builder} ${JSON.stringify(fields)}: ${JSON.stringify(body)}`),
  )

layer(TestServer.layer())("The signer of a transaction", (it) => {
  it.effect("cannot be a program or a sysvar", () =>
    Effect.gen(function* () {
      for (const address of RESERVED_ADDRESSES) {
        for (const builder of ALL)
          yield* assertRefused(builder, { signer: address }, "body.signer", /^expected a key that can sign/)
        yield* assertRefused(
          "deploy-token",
          { mintAddress: address },
          "body.mintAddress",
          /^expected a key that can sign/,
        )
        for (const field of ["feeClaimer", "leftoverReceiver"])
          yield* assertRefused("dbc-config", { [field]: address }, `body.dbcConfig.${field}`, /somebody can claim with/)
      }
    }),
  )

  it.effect("cannot be off the curve, unlike addresses that only receive", () =>
    Effect.gen(function* () {
      for (const address of yield* derived) {
        for (const builder of ALL)
          yield* assertRefused(builder, { signer: address }, "body.signer", /ed25519 key lies on the curve/)
        yield* assertRefused(
          "deploy-token",
          { mintAddress: address },
          "body.mintAddress",
          /ed25519 key lies on the curve/,
        )
        yield* assertBuilt("dbc-config", { feeClaimer: address, leftoverReceiver: address })
      }
    }),
  )

  it.effect("cannot have another role in the same transaction", () =>
    Effect.gen(function* () {
      const other = /^expected an address of its own: this one is the /
      yield* assertRefused(
        "dbc-config",
        { quoteMint: SEEDED_MINTS.spl, signer: SEEDED_MINTS.spl },
        "body.signer",
        other,
      )
      yield* assertRefused("deploy-token", { signer: CONFIG }, "body.signer", other)
      yield* assertRefused("deploy-token", { mintAddress: CONFIG }, "body.mintAddress", other)
      yield* assertRefused("deploy-token", { mintAddress: SIGNER }, "body.mintAddress", other)
      yield* assertRefused("swap", { signer: MINT }, "body.signer", other)
      yield* assertRefused("swap", { signer: CONFIG }, "body.signer", other)
      yield* assertRefused(
        "swap",
        { referralTokenAccount: SIGNER },
        "body.referralTokenAccount",
        /an existing token account/,
      )
      // The wallet may be its own fee claimer and leftover receiver.
      yield* assertBuilt("dbc-config", { feeClaimer: SIGNER, leftoverReceiver: SIGNER })
    }),
  )
})
