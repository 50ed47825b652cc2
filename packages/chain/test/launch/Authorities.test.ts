import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { Address } from "@launch-registry/domain/solana/Address"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import type { RawAccount } from "../../src/accounts/AccountReads.ts"
import { mintState, readAuthorities } from "../../src/tokens/Authorities.ts"
import { metaplexMetadata } from "../../src/tokens/MetadataAccounts.ts"
import { tokenMetadataAddress } from "../../src/accounts/DerivedAddresses.ts"
import {
  DBC_PROGRAM,
  METADATA_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../../src/accounts/Programs.ts"
import { metaplexMetadataData, mint2022Data, mintData } from "../../src/localnet/TokenAccounts.ts"

const addressOf = (fill: number) => encodeBase58(new Uint8Array(32).fill(fill)) as Address
const [MINT, AUTHORITY, FREEZER, DELEGATE, CREATOR] = [
  addressOf(1),
  addressOf(2),
  addressOf(3),
  addressOf(4),
  addressOf(5),
]
const LABEL = { name: "Name", symbol: "SYM", uri: "https://example.com/m.json" }

const account = (owner: string, data: Uint8Array): RawAccount => ({ owner, lamports: 1n, data })
const key = (address: string) => decodeBase58(address)!
const concat = (...parts: ReadonlyArray<Uint8Array>) => Uint8Array.from(Buffer.concat(parts))
const u16 = (value: number) => Uint8Array.of(value & 255, value >> 8)

/** The mint with an authority at an offset, as SPL Token writes one. */
const withAuthority = (data: Uint8Array, at: number, address: string) => {
  const changed = Uint8Array.from(data)
  changed.set([1, 0, 0, 0], at)
  changed.set(key(address), at + 4)
  return changed
}

const extension = (type: number, data: Uint8Array) => concat(u16(type), u16(data.length), data)

/** Metaplex metadata: `creators` of them, or none; then the two flags. */
const metaplex = (isMutable: number, creators: number | undefined, authority: string = AUTHORITY) => {
  const data = metaplexMetadataData(MINT, authority, LABEL)
  // Key, authority, mint, three texts of fixed length, fee.
  const at = 65 + 4 + 32 + 4 + 10 + 4 + 200 + 2
  const option =
    creators === undefined
      ? Uint8Array.of(0)
      : concat(Uint8Array.of(1, creators, 0, 0, 0), new Uint8Array(34 * creators).fill(9))
  data.set(concat(option, Uint8Array.of(1, isMutable)), at)
  return data
}

/** Reads accounts by address, and counts requests. */
const chainOf = (accounts: Readonly<Record<string, RawAccount>>) => {
  const requests: Array<ReadonlyArray<string>> = []
  const read = (addresses: ReadonlyArray<string>) =>
    Effect.sync(() => {
      requests.push(addresses)
      return { slot: 77n, accounts: addresses.map((address) => accounts[address]) }
    })
  return { read, requests }
}

const NO_AUTHORITIES = {
  ...{ mintAuthority: null, freezeAuthority: null, permanentDelegate: null, transferExtension: null },
  ...{ pauseAuthority: null, transferFeeAuthority: null, transferHookAuthority: null, accountsStartFrozen: false },
} as const

describe("The authorities of a mint", () => {
  it("are read from mints of both token programs", () => {
    const plain = mintData(5n, 6)
    const expected = { program: "spl_token", supply: "5", decimals: 6, ...NO_AUTHORITIES } as const
    assert.deepStrictEqual(mintState(account(TOKEN_PROGRAM, plain)), expected)
    const both = withAuthority(withAuthority(plain, 0, AUTHORITY), 46, FREEZER)
    for (const [owner, program] of [
      [TOKEN_PROGRAM, "spl_token"],
      [TOKEN_2022_PROGRAM, "token_2022"],
    ] as const)
      assert.deepStrictEqual(mintState(account(owner, both)), {
        ...{ ...expected, program },
        ...{ mintAuthority: AUTHORITY, freezeAuthority: FREEZER },
      } as never)
  })

  it("include what extensions of Token-2022 permit", () => {
    const data = mint2022Data(MINT, 5n, 6, LABEL)
    const stateOf = (...extensions: ReadonlyArray<Uint8Array>) =>
      mintState(account(TOKEN_2022_PROGRAM, concat(data, ...extensions)))
    assert.deepInclude(stateOf(), NO_AUTHORITIES)
    const delegate = extension(12, key(DELEGATE))
    const hook = extension(14, concat(key(AUTHORITY), key(CREATOR)))
    assert.deepInclude(stateOf(delegate, hook), { permanentDelegate: DELEGATE, transferExtension: "transfer_hook" })
    assert.deepInclude(stateOf(hook, extension(12, new Uint8Array(32))), { permanentDelegate: null })
    const free = extension(1, new Uint8Array(108))
    assert.deepInclude(stateOf(free, delegate), { transferExtension: "transfer_fee", transferFeeAuthority: null })
    // A fee of nothing does not hide a hook, and a hook without a program can get one.
    assert.deepInclude(stateOf(free, hook), { transferExtension: "transfer_hook" })
    const noHookYet = extension(14, concat(key(AUTHORITY), new Uint8Array(32)))
    assert.deepInclude(stateOf(noHookYet), { transferExtension: null, transferHookAuthority: AUTHORITY })
    const fee = extension(1, concat(key(FREEZER), new Uint8Array(76)))
    assert.deepInclude(stateOf(fee), { transferExtension: "transfer_fee", transferFeeAuthority: FREEZER })
    const pausable = extension(26, concat(key(AUTHORITY), Uint8Array.of(0)))
    assert.deepInclude(stateOf(delegate, pausable), { pauseAuthority: AUTHORITY, permanentDelegate: DELEGATE })
    assert.deepInclude(stateOf(extension(26, new Uint8Array(33))), NO_AUTHORITIES)
    for (const state of [0, 1, 2])
      assert.deepInclude(stateOf(extension(6, Uint8Array.of(state))), { accountsStartFrozen: state === 2 })
  })

  it("of no mint are null", () => {
    for (const data of [new Uint8Array(0), new Uint8Array(165), mintData(1n, 6).subarray(1)])
      for (const owner of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM])
        assert.isNull(mintState(account(owner, data)))
    assert.isNull(mintState(account(SYSTEM_PROGRAM, mintData(1n, 6))))
    assert.isNull(mintState(undefined))
  })
})

describe("The metadata of a mint", () => {
  it("says who may change it, and whether it can be changed", () => {
    for (const creators of [undefined, 0, 1, 5])
      for (const flag of [0, 1])
        assert.deepStrictEqual(metaplexMetadata(account(METADATA_PROGRAM, metaplex(flag, creators)), MINT), {
          ...{ source: "metaplex", updateAuthority: AUTHORITY, pointerAuthority: null, isMutable: flag === 1 },
        } as never)
    const nobody = metaplexMetadata(account(METADATA_PROGRAM, metaplex(1, undefined, SYSTEM_PROGRAM)), MINT)
    assert.isNull(nobody!.updateAuthority)
  })

  it("is null for another mint, owner or kind, and does not say what does not lie within the account", () => {
    const data = metaplex(1, 2)
    assert.isNull(metaplexMetadata(account(METADATA_PROGRAM, data), CREATOR))
    assert.isNull(metaplexMetadata(account(SYSTEM_PROGRAM, data), MINT))
    assert.isNull(metaplexMetadata(account(METADATA_PROGRAM, data.with(0, 6)), MINT))
    assert.isNull(metaplexMetadata(account(METADATA_PROGRAM, data.subarray(0, 65)), MINT))
    for (const cut of [66, 100, 320, 325, 380])
      assert.isNull(metaplexMetadata(account(METADATA_PROGRAM, data.subarray(0, cut)), MINT)!.isMutable, String(cut))
    const endless = Uint8Array.from(data)
    endless.set([255, 255, 255, 255], 65)
    assert.isNull(metaplexMetadata(account(METADATA_PROGRAM, endless), MINT)!.isMutable)
  })

  it.prop(
    "and the state of a mint are read from any bytes without an error",
    { bytes: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))), at: Schema.Int },
    ({ at, bytes }) => {
      const garbage = Uint8Array.from(bytes)
      for (const whole of [metaplex(1, 1), mint2022Data(MINT, 1n, 6, LABEL)]) {
        const data = Uint8Array.from(whole)
        data.set(garbage.subarray(0, data.length), Math.abs(at) % Math.max(1, data.length - garbage.length))
        for (const owner of [METADATA_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
          mintState(account(owner, data))
          metaplexMetadata(account(owner, data), MINT)
        }
      }
    },
  )
})

describe("The authorities of a token", () => {
  it.effect("are read at one slot in one request, with the option of its configuration", () =>
    Effect.gen(function* () {
      const [launch] = launches
      const metadata = yield* Effect.promise(() => tokenMetadataAddress(MINT))
      const config = account(DBC_PROGRAM, Uint8Array.from(Buffer.from(launch!.config.data, "base64")))
      const { read, requests } = chainOf({
        [MINT]: account(TOKEN_PROGRAM, mintData(5n, 6)),
        [metadata]: account(METADATA_PROGRAM, metaplex(0, undefined)),
        [CREATOR]: config,
      })
      assert.deepStrictEqual(yield* readAuthorities(read, MINT, CREATOR), {
        slot: 77n,
        mint: { program: "spl_token", supply: "5", decimals: 6, ...NO_AUTHORITIES },
        metadata: { source: "metaplex", updateAuthority: AUTHORITY, pointerAuthority: null, isMutable: false },
        label: { ...LABEL, isFinal: true },
        configOption: 1,
      } as never)
      assert.deepStrictEqual(requests, [[MINT, metadata, CREATOR]])
      assert.deepInclude(yield* readAuthorities(read, MINT, undefined), { configOption: null })
      assert.deepInclude(yield* readAuthorities(read, MINT, AUTHORITY), { configOption: null })
    }),
  )

  it.effect("are those of the metadata in a mint of Token-2022, if the mint points to itself", () =>
    Effect.gen(function* () {
      const data = mint2022Data(MINT, 5n, 6, LABEL)
      const read = (data: Uint8Array, others: Readonly<Record<string, RawAccount>> = {}) =>
        Effect.map(
          readAuthorities(chainOf({ ...others, [MINT]: account(TOKEN_2022_PROGRAM, data) }).read, MINT, undefined),
          ({ metadata }) => metadata,
        )
      const immutable = { source: "token_2022", updateAuthority: null, pointerAuthority: null, isMutable: false }
      assert.deepStrictEqual(yield* read(data), immutable as never)
      // Pointer: 4 header bytes after the account type at 165, and 64 bytes; then the header of the metadata.
      const at = 166 + 4 + 64 + 4
      const owned = Uint8Array.from(data)
      owned.set(key(AUTHORITY), at)
      assert.deepStrictEqual(yield* read(owned), { ...immutable, updateAuthority: AUTHORITY, isMutable: true } as never)
      const elsewhere = Uint8Array.from(data)
      elsewhere.set(key(CREATOR), 166 + 4 + 32)
      assert.isNull(yield* read(elsewhere))
      // Metadata of Metaplex that the mint does not point to says nothing of what the token is called.
      const metaplexAddress = yield* Effect.promise(() => tokenMetadataAddress(MINT))
      const others = { [metaplexAddress]: account(METADATA_PROGRAM, metaplex(0, undefined)) }
      assert.isNull(yield* read(elsewhere, others))
      const ofMetaplex = { source: "metaplex", updateAuthority: AUTHORITY, pointerAuthority: null, isMutable: false }
      const pointed = Uint8Array.from(data)
      pointed.set(key(metaplexAddress), 166 + 4 + 32)
      assert.deepStrictEqual(yield* read(pointed, others), ofMetaplex as never)
      // Nobody may change it, and somebody can make the mint point to something else.
      const movable = Uint8Array.from(data)
      movable.set(key(FREEZER), 166 + 4)
      const moved = { pointerAuthority: FREEZER, isMutable: true }
      assert.deepStrictEqual(yield* read(movable), { ...immutable, ...moved } as never)
      pointed.set(key(FREEZER), 166 + 4)
      assert.deepStrictEqual(yield* read(pointed, others), { ...ofMetaplex, ...moved } as never)
    }),
  )

  it.effect("are null without a mint", () =>
    Effect.gen(function* () {
      const nothing = { slot: 77n, mint: null, metadata: null, label: null, configOption: null }
      assert.deepStrictEqual(yield* readAuthorities(chainOf({}).read, MINT, CREATOR), nothing)
    }),
  )
})
