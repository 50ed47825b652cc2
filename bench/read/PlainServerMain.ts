import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import fastify from "fastify"
import type { BenchAddress } from "../BenchDatabase.ts"
import { plainTokens } from "./PlainTokens.ts"

/** `PlainServerMain.ts <node:http | Fastify> <database>`: a server without a log. */
const [name, address] = process.argv.slice(2)
const tokens = plainTokens(JSON.parse(address!) as BenchAddress)

const answerOf = async (url: string): Promise<object | undefined> => {
  const [path, query] = url.split("?", 2) as [string, string | undefined]
  if (path === "/api/tokens") {
    const asked = new URLSearchParams(query)
    return tokens.page(Number(asked.get("limit")), asked.get("endDate"))
  }
  return path.startsWith("/api/tokens/") ? tokens.byId(path.slice("/api/tokens/".length)) : undefined
}

/** As little between a request and its row as can be. */
const plainServer = async (): Promise<string> => {
  const server = createServer((request, response) => {
    answerOf(request.url!).then(
      (answer) => {
        const body = JSON.stringify(answer ?? { success: false })
        response.writeHead(answer === undefined ? 404 : 200, {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        })
        response.end(body)
      },
      () => response.writeHead(500).end(),
    )
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

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
const schemaOf = (properties: object) => ({
  200: { type: "object", properties: { success: { type: "boolean" }, ...properties } },
})

/** With schemas of what it takes and answers, so that it serializes by them. */
const fastifyServer = async (): Promise<string> => {
  const app = fastify()
  app.get<{ Params: { id: string } }>(
    "/api/tokens/:id",
    {
      schema: {
        params: { type: "object", properties: { id: { type: "string", format: "uuid" } }, required: ["id"] },
        response: schemaOf({ data: { type: "object", properties: DETAILS } }),
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
        response: schemaOf({
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
  return app.listen({ host: "127.0.0.1", port: 0 })
}

process.send!(await (name === "Fastify" ? fastifyServer() : plainServer()))
process.once("disconnect", () => process.exit())
