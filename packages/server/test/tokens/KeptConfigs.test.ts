import { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { TokenDetails, TokenLinks } from "@launch-registry/domain/tokens/Token"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, Schema, SchemaAST, String as Str } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { losslessKeys } from "@launch-registry/http/answers/LosslessKeys"
import { examples } from "../../../../scripts/Laws.ts"
import { sampleAddress, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const { parse, rawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown
  readonly parse: (
    text: string,
    revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => { readonly data: Registration; readonly tokenConfig: Registration["tokenConfig"] }
}

interface Registration {
  readonly tokenConfig: { readonly dbcConfig: Readonly<Record<string, unknown>> }
}

/** JSON whose numbers keep every digit as written. */
const parseExact = (text: string) =>
  parse(text, (_key, value, { source }) => (typeof value === "number" ? { number: source } : value))

/** More digits than a double has, before or after the point. */
const Digits = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))).check(
  Schema.isMinLength(18),
  Schema.isMaxLength(40),
)

/** A number in JSON with up to forty digits on either side of the point, without superfluous zeros. */
const amount = Arbitrary.map(Arbitrary.all([Arbitrary.schema(Digits), Arbitrary.schema(Digits)]), ([front, back]) => {
  const whole = front.join("").replace(/^0+(?=\d)/, "") || "0"
  const fraction = back.join("").replace(/0+$/, "")
  return rawJSON(fraction === "" ? whole : `${whole}.${fraction}`)
})

const ADDRESSES = [sampleAddress(), sampleAddress()]
const address = Arbitrary.schema(Schema.Literals(ADDRESSES))

const isLeftOut = Arbitrary.schema(Schema.Boolean)

const AMOUNTS = losslessKeys(DbcConfig)

/** Any valid configuration; the fields of each group are random. */
const sentAs = (ast: SchemaAST.AST): Arbitrary.Arbitrary<unknown> => {
  if (SchemaAST.isString(ast)) return address
  if (!SchemaAST.isObjects(ast)) return Arbitrary.schema(Schema.make(ast))
  const fields = ast.propertySignatures.map(({ name, type }) => {
    const field = AMOUNTS.has(String(name)) ? amount : sentAs(type)
    return Arbitrary.map(Arbitrary.all([isLeftOut, field]), ([isOut, value]) => (isOut ? [] : [[name, value]]))
  })
  return Arbitrary.map(Arbitrary.all(fields), (sent) => Object.fromEntries(sent.flat()))
}

const Config = sentAs(SchemaAST.toEncoded(DbcConfig.ast))

layer(TestServer.layer())("A DBC configuration", (it) => {
  it.effect.prop(
    "is returned as it was sent, with any fields and all digits of its amounts",
    [Config],
    ([sent]) =>
      Effect.gen(function* () {
        const { fetch } = yield* TestServer
        const body = JSON.stringify(tokenDraft({ tokenConfig: { dbcConfig: sent } }))
        const headers = { "content-type": "application/json" }
        const created = yield* fetch("/api/tokens", { method: "POST", headers, body })
        const text = yield* Effect.promise(() => created.text())
        assert.strictEqual(created.status, 201, text)
        const read = yield* fetch(`/api/tokens/${JSON.parse(text).data.id}`)
        const { dbcConfig } = parseExact(yield* Effect.promise(() => read.text())).data.tokenConfig
        assert.deepStrictEqual(dbcConfig, parseExact(body).tokenConfig.dbcConfig)
      }),
    { arbitrary: { runs: examples(20, 400) } },
  )

  it.effect("is of a token that has a column for each of its fields", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = yield* sql<{ readonly name: string }>`
        select column_name as name from information_schema.columns where table_name = 'tokens'`
      const {
        document: _,
        market: _market,
        metadata: _links,
        tokenConfig: _config,
        trust: _trust,
        ...details
      } = TokenDetails.fields
      const unanswered = ["registeredBy", "claimed", "completedAt", "deletedAt", "quoteMint", "dbcConfig"]
      assert.sameMembers(
        columns.map(({ name }) => Str.snakeToCamel(name)),
        [...Object.keys({ ...details, ...TokenLinks.fields }), ...unanswered],
      )
    }),
  )
})
