import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const listed = (texts: string): ReadonlyArray<string> => texts.split(", ")

/** Names of tokens in many scripts, alone and mixed with Latin; each is the symbol of another token. */
export const SCRIPT_NAMES = [
  ...listed(
    "比特币, 狗, 猫币, 我的莱特币, BTC以太坊, Pepe 犬犬币, 東京タワー, ひよこ, 비트코인, 달 토끼, Дом, Новый Слон, БИТКОИН, بيتكوين, قط, บิทคอยน์",
  ),
  ...listed("แมว, ביטקוין, Ωμέγα, बिटकॉइन, Café Ñandú, Zoë, 🐸🐸, go 🦊 x, ∑≠"),
]

/** Parts of them, among which the first and the last, of one letter and more. */
export const SCRIPT_TERMS = [
  ...listed(
    "比特币, 特币, 特, 狗, 猫, 猫币, 莱特币, 莱特, 的莱, BTC以太坊, btc以, C以太, 以太坊, 太坊, 坊, 犬犬币, Pepe 犬, e 犬犬, 東京タワー, 東京, タワー, ワー, よこ",
  ),
  ...listed(
    "ひよこ, 코인, 비트코인, 트코인, 토끼, 달 토, 끼, Дом, ом, Слон, лон, ло, ый С, Новый Слон, БИТКОИН, ТКОИ, ИН, كوين, بيتكوين, يت",
  ),
  ...listed(
    "قط, บิทคอยน์, คอยน์, ทค, แมว, มว, ביט, קוין, וי, μέγα, έγ, कॉइन, टकॉ, fé Ñ, Ñandú, Ñan, oë, 🐸, 🐸🐸, 🦊, o 🦊, 🦊 x",
  ),
  ...listed("≠, ∑≠"),
]

/** Fills a registry with them; they are older than all other tokens. */
export const fillScripts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, created_at, updated_at)
    select gen_random_uuid(), 'script' || nth || '_' || kind, case kind when 1 then name else 'Plain' end,
      case kind when 2 then name else 'PLAIN' end, 1, 6, 'somebody', 'launchpad_a', date '2025-01-01' + nth * interval '1 minute', now()
    from unnest(${SCRIPT_NAMES}::text[]) with ordinality t (name, nth), generate_series(1, 2) kind`
})
