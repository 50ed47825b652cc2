import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { listings } from "@launch-registry/server/markets/Listings"
import { holderPage } from "@launch-registry/server/tokens/HolderPages"
import { copiedSwaps } from "../../../bridge/test/CopiedSwaps.ts"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { quoteBody } from "../../../bridge/test/TestBridge.ts"
import { OPTIONS as NOTIFICATIONS } from "../../../server/test/notifications/TestNotifications.ts"
import { indexTrades, randomTrades } from "../../../server/test/launch/IndexedTrades.ts"
import { accessOf } from "../access/TestAccess.ts"
import { randomOf } from "../Random.ts"
import { SOL, sampleAddress, tokenDraft, transactionDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { DECLARED, literalsOf } from "../../../http/test/DeclaredParts.ts"

const KEY = "an-admin-key-of-more-than-32-characters"
const headers = { "x-api-key": KEY }

const server = Layer.unwrap(
  Effect.map(IntentsStandIn.make(), (standIn) =>
    TestServer.layer({
      bridge: { url: standIn.url, quoteKey: standIn.publicKey },
      access: accessOf({ adminKeys: [Redacted.make(KEY)] }),
      notifications: NOTIFICATIONS,
    }),
  ),
)

const MINT = SEEDED_MINTS.spl
const ROWS = 11
const ENDPOINT_ID = "01987654-3210-7abc-8def-0123456789ab"

/** Every list with cursors, and parameters that it accepts. */
const LISTS = DECLARED.filter(({ parameters }) => parameters.some(({ path }) => path === "query.cursor")).map(
  ({ declaredPath, name, parameters }) => {
    const isOfMint = name.startsWith("tokens.holders") || name.startsWith("launch")
    const of = name.startsWith("notifications") ? ENDPOINT_ID : isOfMint ? MINT : SOL
    const query = parameters.some(({ path }) => path === "query.q") ? "?q=Sample&" : "?"
    return { name, url: declaredPath.replace(/:\w+/, of) + query }
  },
)

/** Values of parameters that take more than a few. */
const VALUES: Readonly<Record<string, string>> = {
  ...{
    limit: "5",
    include: "market",
    tag: "tag",
    launchpad: "launchpad_a",
    mintAddresses: MINT,
    active: "true",
    verified: "false",
  },
  ...{ userAddress: SOL, baseToken: SOL, quoteToken: SOL, chain: "solana", depositAddress: SOL },
  ...{ caller: "name", method: "POST", route: "/api/tokens", subject: "subject", requestId: "id" },
  ...{
    trader: SOL,
    mintAddress: MINT,
    walletAddress: SOL,
    owner: SOL,
    config: SOL,
    creator: SOL,
    quoteMint: SOL,
  },
  ...{ startDate: "2026-01-01", endDate: "2027-01-01", from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" },
}

/** So many rows of each list; most of those sorted by time have the same time. */
const fillLists = Effect.gen(function* () {
  const { request } = yield* TestServer
  const sql = yield* SqlClient
  for (let count = 0; count < ROWS; count++) {
    yield* request("/api/tokens", { json: tokenDraft({ owner: SOL, symbol: count < 4 ? "SAMPLE" : "S" }) })
    yield* request("/api/transactions", { json: transactionDraft({ userAddress: SOL }) })
  }
  const { data: tokens } = (yield* request("/api/tokens?limit=100")).body
  for (const { mintAddress: tokenAddress } of tokens)
    yield* request("/api/launch/whitelist", { headers, json: { tokenAddress } })
  yield* sql`update token_whitelist set whitelisted = false where mint_address < '8'`
  yield* sql`update token_whitelist set updated_at = (select min(updated_at) from token_whitelist) where whitelisted`
  yield* sql`update tokens set created_at = (select min(created_at) from tokens) where symbol = 'S'`
  yield* sql`update transactions set created_at = (select min(created_at) from transactions) where id in (
    select id from transactions order by id limit ${ROWS - 3})`
  for (let count = 0; count < ROWS; count++)
    yield* request("/api/notifications/endpoints", { headers, json: { url: "http://127.0.0.1:9/", types: ["trade"] } })
  yield* sql`
    update notification_endpoints set id = ${ENDPOINT_ID}::uuid where id = (
      select id from notification_endpoints order by id limit 1)`
  for (let count = 0; count < ROWS; count++)
    yield* request("/api/notifications/test", { headers, json: { endpointId: ENDPOINT_ID } })
  yield* sql`update notification_messages set created_at = (select min(created_at) from notification_messages)`
  const swap = (yield* request("/api/bridge/quote", { json: quoteBody({ dry: false }) })).body.data
  yield* copiedSwaps(swap.id, ROWS - 1)
  yield* sql`
    insert into audit_log (at, caller_kind, caller_id, caller_name, method, route, request_id)
    select date '2026-11-22' + interval '1 hour' * (n / 5), 'key', 'id', 'name', 'POST', '/api/tokens', 'id'
    from generate_series(1, ${ROWS}) n`
  yield* sql`
    insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
    select n / 3, n, 1, 'signature', 'reason', 'hash' from generate_series(1, ${ROWS}) n`
  yield* sql`
    insert into inbox_poison (digest, received_at, source, reason, bytes)
    select sha256(n::text::bytea), date '2026-11-22' + interval '1 hour' * (n / 5), 'webhook', 'reason', 'bytes'
    from generate_series(1, ${ROWS}) n`
  yield* indexTrades(randomTrades(randomOf(3), ROWS, MINT))
  yield* sql`
    insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, created_slot, created_at)
    select mint_address, mint_address, ${SOL}, ${SOL}, owner, '', '', '', 0, 0,
      case when symbol = 'S' then timestamptz '2026-11-21 00:00Z' else '2026-11-22 00:00Z' end
    from tokens`
  yield* sql`
    insert into fee_claims (ordinal, signature, kind, party, venue, pool, wallet, quote_mint, base_amount, quote_amount,
      block_time)
    select (300000000 + n)::bigint << 32, signature, 'surplus', 'creator', 'dbc', ${SOL}, ${SOL}, ${SOL}, 0, n, now()
    from (select signature, row_number() over (order by ordinal) as n from trades) t`
  yield* sql`update dbc_pools set migrated_pool = ${SOL} where base_mint = ${MINT}`
  yield* sql`
    insert into dbc_events (ordinal, signature, type, pool, facts, block_time)
    select ordinal, signature, 'LiquidityChanged', ${SOL}, jsonb_build_object('change', 'added', 'owner', ${SOL}::text,
      'position', ${SOL}::text, 'baseAmount', '1', 'quoteAmount', '1', 'liquidity', '1'), block_time
    from fee_claims`
  yield* listings(sql).step
})

const readPage = Effect.fnUntraced(function* (url: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(url, { headers })
  assert.strictEqual(status, 200, `${url} ${JSON.stringify(body)}`)
  const rows: ReadonlyArray<unknown> = body.data ?? body.transactions
  return { rows, nextCursor: body.pagination?.nextCursor as string | null | undefined, pagination: body.pagination }
})

const isRefused = Effect.fnUntraced(function* (url: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(url, { headers })
  assert.strictEqual(status, 400, `${url} ${JSON.stringify(body)}`)
  assert.deepInclude(body, { success: false, code: "invalid_request" }, url)
  assert.deepStrictEqual(
    body.issues.map(({ path }: { readonly path: string }) => path),
    ["query.cursor"],
    url,
  )
})

/** A cursor from each list. */
const givenCursors = Effect.gen(function* () {
  const holder = (amount: string) => ({ address: sampleAddress() as never, amount, share: 0 })
  const { pagination } = yield* holderPage(MINT, [holder("18446744073709551615"), holder("1")], { limit: 1 })
  return yield* Effect.forEach(LISTS, ({ name, url }) =>
    // The local chain has one holder.
    name === "tokens.holders"
      ? Effect.succeed({ name, url, cursor: pagination!.nextCursor! })
      : Effect.map(readPage(`${url}limit=2`), ({ nextCursor }) => ({ name, url, cursor: nextCursor! })),
  )
})

layer(server, { excludeTestServices: true })("A cursor", (it) => {
  it.effect("pages through every list: each row once, in the order of the whole list", () =>
    Effect.gen(function* () {
      yield* fillLists
      assert.isAtLeast(LISTS.length, 14)
      for (const { name, url } of LISTS) {
        const { rows: all } = yield* readPage(`${url}limit=${name === "wallets.tokens" ? 25 : 1000}`)
        assert.isAtLeast(all.length, name === "tokens.holders" ? 1 : ROWS, name)
        for (const limit of [1, 3, 10, 11, 12]) {
          const seen: Array<unknown> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const page: Effect.Success<ReturnType<typeof readPage>> = yield* readPage(
              `${url}limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`,
            )
            assert.deepStrictEqual(page.pagination, { limit, nextCursor: page.nextCursor }, name)
            if (page.nextCursor !== null) assert.lengthOf(page.rows, limit, name)
            seen.push(...page.rows)
            cursor = page.nextCursor!
          }
          assert.deepStrictEqual(seen, all, `${name} by ${limit}`)
        }
      }
    }),
  )

  it.effect("is accepted by its own list, and refused for any other list, term or address", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const given = yield* givenCursors
      for (const { cursor, name, url } of given) {
        yield* readPage(`${url}cursor=${cursor}`)
        yield* readPage(`${url}limit=5&cursor=${cursor}`)
        for (const other of given) if (other.name !== name) yield* isRefused(`${other.url}cursor=${cursor}`)
      }
      const cursorOf = (list: string) => given.find(({ name }) => name === list)!.cursor
      yield* readPage(`/api/tokens/search?q=%20Sample%20&cursor=${cursorOf("tokens.search")}`)
      // Another term ranks the same tokens differently; another owner, user, token or mint has other rows.
      yield* isRefused(`/api/tokens/search?q=S&cursor=${cursorOf("tokens.search")}`)
      const other = sampleAddress()
      yield* isRefused(`/api/tokens/address/${other}?cursor=${cursorOf("tokens.listByOwner")}`)
      yield* isRefused(`/api/wallets/${other}?cursor=${cursorOf("wallets.tokens")}`)
      yield* isRefused(`/api/transactions/user/${other}?cursor=${cursorOf("transactions.listByUser")}`)
      yield* isRefused(`/api/transactions/token/${other}?cursor=${cursorOf("transactions.listByToken")}`)
      yield* isRefused(`/api/launch/pool/${SEEDED_MINTS.token2022}/trades?cursor=${cursorOf("launch.trades")}`)
      const [endpoint] = (yield* request("/api/notifications/endpoints?limit=1", { headers })).body.data
      yield* isRefused(
        `/api/notifications/endpoints/${endpoint.id}/messages?cursor=${cursorOf("notifications.messages")}`,
      )
      yield* isRefused(`/api/tokens/holders/${SEEDED_MINTS.token2022}?cursor=${cursorOf("tokens.holders")}`)
    }),
  )

  it.effect("is of the filters and the order of its list, and not of what a page has", () =>
    Effect.gen(function* () {
      const given = yield* givenCursors
      let tried = 0
      for (const { cursor, name, url } of given)
        for (const { ast, path } of DECLARED.find((each) => each.name === name)!.parameters) {
          const parameter = path.replace("query.", "")
          if (["q", "cursor", "offset"].includes(parameter)) continue
          const value = literalsOf(ast).at(-1) ?? VALUES[parameter]
          assert.isDefined(value, `${name} ${path}`)
          const other = `${url}${parameter}=${value}&`
          if (["limit", "include"].includes(parameter)) yield* readPage(`${other}cursor=${cursor}`)
          else {
            tried++
            yield* isRefused(`${other}cursor=${cursor}`)
            const { nextCursor } = yield* readPage(`${other}limit=1`)
            if (typeof nextCursor !== "string") continue
            yield* readPage(`${other}cursor=${nextCursor}`)
            yield* isRefused(`${url}cursor=${nextCursor}`)
          }
        }
      assert.isAtLeast(tried, 50)
      // What a request says and what it leaves to the default is the same query.
      const { cursor } = given.find(({ name }) => name === "launch.pools")!
      yield* readPage(`/api/launch/pools?sort=newest&registered=true&cursor=${cursor}`)
    }),
  )

  it.effect("that was altered, truncated, extended or made up is refused by every list", () =>
    Effect.gen(function* () {
      const id = "01987654-3210-7abc-8def-0123456789ab"
      const encoded = (text: string) => Buffer.from(text).toString("base64url")
      for (const { cursor, url } of yield* givenCursors) {
        const middle = cursor.length >> 1
        const changed = cursor[middle] === "A" ? "B" : "A"
        for (const other of [
          ...[cursor.slice(0, middle) + changed + cursor.slice(middle + 1), cursor.slice(0, -1), cursor.slice(1)],
          ...[`${cursor}A`, `A${cursor}`, cursor + cursor, `${cursor}%3D`, `${cursor}%20`, "", "A", "%24"],
          ...["A".repeat(200), "A".repeat(201), "A".repeat(5_000), encoded(`0.1700000000000.${id}`)],
          ...[encoded(`x.1700000000000.${id}`), encoded(`1.${SOL}`), encoded(""), encoded("...")],
        ])
          yield* isRefused(`${url}cursor=${other}`)
        yield* isRefused(`${url}cursor=${cursor}&cursor=${cursor}`)
      }
    }),
  )

  it.effect("is what goes further than an offset may", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const offsetOf = ({ parameters }: (typeof DECLARED)[number]) =>
        parameters.some(({ path }) => path === "query.offset")
      const withOffset = LISTS.filter(({ name }) => DECLARED.some((each) => each.name === name && offsetOf(each)))
      assert.isAtLeast(withOffset.length, 9)
      for (const { name, url } of withOffset) {
        const furthest = yield* request(`${url}limit=1&offset=10000`, { headers })
        assert.strictEqual(furthest.status, 200, name)
        const { body, status } = yield* request(`${url}limit=1&offset=10001`, { headers })
        assert.strictEqual(status, 400, name)
        assert.deepInclude(body, { success: false, code: "invalid_request" }, name)
        assert.deepStrictEqual(
          body.issues,
          [{ path: "query.offset", message: "expected a whole number from 0 to 10000; a cursor goes further" }],
          name,
        )
      }
    }),
  )

  it.effect("is refused together with an offset other than 0", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const withOffset = DECLARED.filter(({ parameters }) => parameters.some(({ path }) => path === "query.offset"))
      assert.isNotEmpty(withOffset)
      for (const { cursor, name, url } of yield* givenCursors) {
        if (!withOffset.some((endpoint) => endpoint.name === name)) continue
        const page = yield* readPage(`${url}limit=3&cursor=${cursor}`)
        assert.deepStrictEqual(yield* readPage(`${url}limit=3&offset=0&cursor=${cursor}`), page, name)
        const { body, status } = yield* request(`${url}offset=1&cursor=${cursor}`, { headers })
        assert.strictEqual(status, 400, name)
        assert.deepStrictEqual(
          body.issues,
          [{ path: "query.offset", message: "expected no offset with a cursor" }],
          name,
        )
      }
    }),
  )
})
