import { confusableKeys } from "@launch-registry/domain/text/ConfusableKeys"
import { unsafeKinds } from "@launch-registry/domain/text/UnsafeText"
import type { TokenTrust, UnsafeText } from "@launch-registry/domain/trust/TokenTrust"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { indexedAuthorities } from "../facts/Authorities.ts"
import { confusableTokens } from "./ConfusableTokens.ts"
import { firstSlotRows, toFirstSlot } from "./FirstSlots.ts"
import { type NamedRow, namedRows, shownLabels } from "./NamedTokens.ts"

/** UTF-16 units of a text that are looked at. No transaction has longer ones. */
const TEXT_MAX = 1_232

const unsafeTexts = ({ chainName, chainSymbol, name, symbol }: NamedRow): ReadonlyArray<UnsafeText> => {
  const of = (field: UnsafeText["field"], source: UnsafeText["source"], text: string | null) => {
    const kinds = unsafeKinds((text ?? "").slice(0, TEXT_MAX))
    return kinds.length === 0 ? [] : [{ field, source, kinds }]
  }
  // A registered token that was launched has the text of the chain, without such characters.
  const [source, ...texts] =
    chainName === null ? (["registry", name, symbol] as const) : (["chain", chainName, chainSymbol] as const)
  return [...of("name", source, texts[0]), ...of("symbol", source, texts[1])]
}

/** Whether name and symbol are blank: there is nothing to compare. */
const isNameless = (row: NamedRow): boolean =>
  Object.values(shownLabels(row)).every((text) => confusableKeys(text).length === 0)

/** Facts to judge tokens by, from the tables alone. */
export class Trust extends Context.Service<
  Trust,
  {
    /** Of these mints, by mint, in four statements at most, of which three run at once; those that are neither registered nor launched are absent. */
    readonly find: (mints: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, TokenTrust>>
  }
>()("@launch-registry/server/trust/Trust") {
  static readonly layer = Layer.effect(
    Trust,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const confusable = confusableTokens(sql)

      const find = Effect.fn("Trust.find")(function* (mints: ReadonlyArray<string>) {
        if (mints.length === 0) return new Map<string, TokenTrust>()
        const [named, others, firstRows] = yield* Effect.all(
          [namedRows(sql, mints), confusable(mints), firstSlotRows(sql, mints)],
          { concurrency: "unbounded" },
        )
        const first = new Map(firstRows.map((row) => [row.baseMint, toFirstSlot(row)]))
        return new Map(
          named.map((row) => [
            row.mintAddress,
            {
              verified: row.isVerified,
              confusableWith: others.get(row.mintAddress) ?? (isNameless(row) ? [] : null),
              unsafeText: unsafeTexts(row),
              authorities: row.createdSlot === null ? null : indexedAuthorities(row.tokenUpdateAuthority, row.isFinal),
              firstSlot: first.get(row.mintAddress) ?? null,
            },
          ]),
        )
      }, Effect.orDie)

      return Trust.of({ find })
    }),
  )
}
