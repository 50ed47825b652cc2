import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Address } from "@solana/kit"
import { Effect } from "effect"
import type { RpcError } from "../rpc/RpcError.ts"
import type { Rpc } from "../rpc/Rpc.ts"
import { SYSTEM_PROGRAM } from "./Programs.ts"

/** An account as raw bytes with the program that owns it. */
export interface RawAccount {
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
}

/** Whether an account can still be created at an address: lamports alone, which anybody can send there, do not hinder it. */
export const isFreeAddress = (account: RawAccount | undefined): boolean =>
  account === undefined || (account.owner === SYSTEM_PROGRAM && account.data.length === 0)

/** Accounts in the order asked for, at one slot. */
export interface AccountsAtSlot {
  readonly slot: bigint
  readonly accounts: ReadonlyArray<RawAccount | undefined>
}

/** Accounts that were asked for by name; `undefined` when there is none at the address. */
export type ExtraAccounts<Name extends string> = Readonly<Record<Name, RawAccount | undefined>>

/** Reads up to a hundred accounts in one request. */
export const readAccounts = (
  rpc: Rpc["Service"],
  addresses: ReadonlyArray<string>,
): Effect.Effect<AccountsAtSlot, Unavailable> =>
  rpc
    .call((kit) =>
      kit.getMultipleAccounts(addresses as ReadonlyArray<Address>, { encoding: "base64", commitment: "confirmed" }),
    )
    .pipe(
      Effect.catch(chainUnavailable),
      Effect.map(({ context, value }) => ({
        slot: context.slot,
        accounts: value.map((account) =>
          account === null
            ? undefined
            : {
                owner: String(account.owner),
                lamports: BigInt(account.lamports),
                data: Uint8Array.from(Buffer.from(account.data[0], "base64")),
              },
        ),
      })),
    )

/** The caller can only retry. Endpoints out of use are logged where they are taken out. */
export const chainUnavailable = (error: RpcError): Effect.Effect<never, Unavailable> =>
  Effect.andThen(
    error.reason._tag === "Rejected" ? Effect.logWarning(error.message) : Effect.logDebug(error.message),
    Effect.fail(new Unavailable({ service: "chain" })),
  )
