import type { Holder } from "@launch-registry/domain/launch/Pool"
import { ChainUnavailable, MintNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { Address as KitAddress, Base58EncodedBytes } from "@solana/kit"
import { Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { AccountReader } from "./AccountReader.ts"
import { chainUnavailable } from "./AccountReads.ts"
import { Pools } from "./Pools.ts"
import { DBC_POOL_AUTHORITY, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"

/** Offset of `supply` in a mint. */
const MINT_SUPPLY_OFFSET = 36
/** `owner` and `amount` of a token account: 32 bytes and 8. */
const OWNER_OFFSET = 32
const OWNER_AND_AMOUNT_BYTES = 40

/** Who holds a token, from its token accounts; the vaults of curve pools are left out. */
export class Holders extends Context.Service<
  Holders,
  { readonly list: (mint: string) => Effect.Effect<ReadonlyArray<Holder>, MintNotFound | ChainUnavailable> }
>()("@launch-registry/chain/launch/Holders") {
  static readonly layer = Layer.effect(
    Holders,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const pools = yield* Pools

      const list = Effect.fn("Holders.list")(function* (mint: string) {
        const [account] = (yield* pools.readAccounts([mint])).accounts
        if (account === undefined || (account.owner !== TOKEN_PROGRAM && account.owner !== TOKEN_2022_PROGRAM)) {
          return yield* new MintNotFound({ mintAddress: mint })
        }
        const supply = new AccountReader(account.data).u64(MINT_SUPPLY_OFFSET)
        const filter = { memcmp: { offset: 0n, bytes: mint as Base58EncodedBytes, encoding: "base58" as const } }
        const found = yield* rpc
          .call((kit) =>
            kit.getProgramAccounts(account.owner as KitAddress, {
              encoding: "base64",
              filters: [filter],
              dataSlice: { offset: OWNER_OFFSET, length: OWNER_AND_AMOUNT_BYTES },
            }),
          )
          .pipe(Effect.catch(chainUnavailable))
        const amounts = new Map<string, bigint>()
        for (const { account: tokenAccount } of found) {
          const reader = new AccountReader(Uint8Array.from(Buffer.from(tokenAccount.data[0], "base64")))
          const owner = reader.address(0)
          const amount = reader.u64(32)
          if (amount > 0n && owner !== DBC_POOL_AUTHORITY) amounts.set(owner, (amounts.get(owner) ?? 0n) + amount)
        }
        return [...amounts]
          .sort(([leftOwner, left], [rightOwner, right]) =>
            left === right ? (leftOwner < rightOwner ? -1 : 1) : left < right ? 1 : -1,
          )
          .map(([owner, amount]) => ({
            address: owner as Address,
            amount: amount.toString(),
            share: supply === 0n ? 0 : Number((amount * 1_000_000n) / supply) / 1_000_000,
          }))
      })

      return Holders.of({ list })
    }),
  )
}
