import fastify from "fastify"
import type { BenchAddress } from "../ingest/BenchDatabase.ts"
import { plainTokens } from "./PlainTokens.ts"

/** Fastify with schemas of what it takes and answers, so that it serializes by them; without its log. */
const tokens = plainTokens(JSON.parse(process.argv[2]!) as BenchAddress)

const text = { type: "string" }
const TOKEN = {
  ...{ id: text, mintAddress: text, name: text, symbol: text, description: text, totalSupply: text },
  ...{ decimals: { type: "integer" }, owner: text, launchpad: text, tags: { type: "array", items: text } },
  ...{ active: { type: "boolean" }, createdAt: text, updatedAt: text, verified: { type: "boolean" } },
}
const number = { type: "number" }
const DETAILS = {
  ...{ ...TOKEN, pool: { type: "string", nullable: true }, config: { type: "string", nullable: true } },
  metadata: {
    type: "object",
    properties: { tokenUri: text, bannerUri: text, website: text, twitter: text, telegram: text },
  },
  tokenConfig: {
    type: "object",
    properties: {
      quoteMint: text,
      dbcConfig: {
        type: "object",
        properties: {
          ...{ buildCurveMode: number, totalTokenSupply: number, migrationOption: number },
          ...{ tokenBaseDecimal: number, tokenQuoteDecimal: number },
        },
      },
    },
  },
}
const answerOf = (properties: object) => ({
  200: { type: "object", properties: { success: { type: "boolean" }, ...properties } },
})

const app = fastify()
app.get("/livez", { schema: { response: answerOf({}) } }, async () => ({ success: true }))
app.get<{ Params: { id: string } }>(
  "/api/tokens/:id",
  {
    schema: {
      params: { type: "object", properties: { id: { type: "string", format: "uuid" } }, required: ["id"] },
      response: answerOf({ data: { type: "object", properties: DETAILS } }),
    },
  },
  async ({ params }, reply) => (await tokens.byId(params.id)) ?? reply.code(404).send({ success: false }),
)
app.get<{ Querystring: { limit: number; endDate?: string } }>(
  "/api/tokens",
  {
    schema: {
      querystring: {
        type: "object",
        properties: {
          limit: { type: "integer", minimum: 1, maximum: 1000 },
          endDate: { type: "string", format: "date-time" },
        },
      },
      response: answerOf({
        data: { type: "array", items: { type: "object", properties: TOKEN } },
        pagination: {
          type: "object",
          properties: { limit: { type: "integer" }, nextCursor: { type: "string", nullable: true } },
        },
      }),
    },
  },
  async ({ query }) => tokens.page(query.limit, query.endDate),
)
process.send!(await app.listen({ host: "127.0.0.1", port: 0 }))
process.once("disconnect", () => process.exit())
