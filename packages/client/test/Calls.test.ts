import { assert, describe, it } from "vitest"
import { answered, connect, type RegistryError } from "../src/Client.ts"
import { refusal, type Script, standIn, success } from "./StandIn.ts"

const MINT = "So11111111111111111111111111111111111111112"
const NOW = { "retry-after": "0" }

const body = { signer: MINT, tokenAddress: MINT } as never

describe("A call", () => {
  it("puts parameters of the path and query where they belong, and the body as JSON", async () => {
    await using registry = await standIn(() => success([]))
    const { launch, system, tokens } = connect({ baseUrl: `${registry.url}/`, headers: { "x-api-key": "k" } })
    await tokens.list({ tag: "a b&c", mintAddresses: [MINT, MINT], limit: 2, cursor: undefined })
    await tokens.getByMint({ address: "a/../b?c" })
    await launch.quote({ body })
    await system.cordon({ endpoint: "primary", body: { reason: "ä" } as never })
    assert.deepStrictEqual(
      registry.asked.map(({ method, path }) => `${method} ${path}`),
      [
        `GET /api/tokens?tag=a+b%26c&mintAddresses=${MINT}%2C${MINT}&limit=2`,
        "GET /api/tokens/mint/a%2F..%2Fb%3Fc",
        "POST /api/launch/quote",
        "PUT /api/system/rpc/primary/cordon",
      ],
    )
    assert.deepStrictEqual(
      registry.asked.map((asked) => asked.body),
      ["", "", JSON.stringify(body), '{"reason":"ä"}'],
    )
    for (const { body: sent, headers } of registry.asked) {
      assert.strictEqual(headers["x-api-key"], "k")
      assert.strictEqual(headers["content-type"], sent === "" ? undefined : "application/json")
    }
  })

  it("is not sent to another path by a parameter that is empty, or made of dots", async () => {
    await using registry = await standIn(() => success([]))
    const { tokens } = connect({ baseUrl: registry.url })
    for (const id of ["", ".", "..", undefined as never]) {
      const fault = await tokens.getById({ id }).catch((error: unknown) => error)
      assert.instanceOf(fault, TypeError)
    }
    assert.isEmpty(registry.asked)
  })

  it("that reads sends the greatest position that a write was given", async () => {
    const positions = ["00000000000000ff", "00000000000000fe", "0000000000000100"]
    await using registry = await standIn(({ method }, _, count) =>
      method === "GET" ? success([]) : { ...success([]), headers: { "read-position": positions[(count - 2) / 2]! } },
    )
    const { launch, tokens } = connect({ baseUrl: registry.url })
    await tokens.list({})
    for (const _ of positions) {
      await launch.quote({ body })
      await tokens.list({})
    }
    const sent = registry.asked.map(({ headers, method }) => `${method} ${headers["read-position"] ?? "-"}`)
    assert.deepStrictEqual(sent, [
      "GET -",
      ...["POST -", "GET 00000000000000ff", "POST -", "GET 00000000000000ff", "POST -", "GET 0000000000000100"],
    ])
    // Of another client: it wrote nothing.
    await connect({ baseUrl: registry.url }).tokens.list({})
    assert.isUndefined(registry.asked.at(-1)!.headers["read-position"])
  })

  it("uploads a form", async () => {
    await using registry = await standIn(() => success({ cid: "c" }))
    const { ipfs } = connect({ baseUrl: registry.url })
    await ipfs.uploadImage({ body: { image: new Blob(["bytes"]), fileName: "logo.png" } })
    const [{ body: form, headers } = assert.fail()] = registry.asked
    assert.match(headers["content-type"]!, /^multipart\/form-data; boundary=/)
    assert.match(form, /name="image"; filename=[^]*bytes[^]*name="fileName"[^]*logo\.png/)
    assert.isDefined(headers["idempotency-key"])
  })

  it("resolves to refusals, and `answered` throws them", async () => {
    await using registry = await standIn(() => refusal(404, "not_found"))
    const { tokens } = connect({ baseUrl: registry.url })
    const answer = await tokens.getById({ id: "x" })
    assert.deepInclude(answer, { success: false, code: "not_found", requestId: "r1" })
    assert.throws(() => answered(answer), /^not_found: It is not_found$/)
    try {
      answered(answer)
    } catch (error) {
      assert.strictEqual((error as RegistryError).code, "not_found")
    }
    assert.strictEqual(registry.asked.length, 1)
  })

  it("says when nobody answers, or somebody else", async () => {
    const gone = await standIn(() => undefined)
    await gone[Symbol.asyncDispose]()
    const call = connect({ baseUrl: gone.url, retries: 0 }).tokens.list
    assert.deepInclude(await call(), { success: false, code: "unreachable" })
    for (const text of ["<html>", "[]", "null", '{"success":"yes"}', ""]) {
      await using proxy = await standIn(() => ({ status: 418, body: text }))
      assert.deepInclude(await connect({ baseUrl: proxy.url }).tokens.list(), {
        code: "unexpected_answer",
        status: 418,
      })
      assert.strictEqual(proxy.asked.length, 1)
    }
  })
})

/** The first answers are these, then it succeeds. */
const failing =
  (...first: ReadonlyArray<ReturnType<Script>>): Script =>
  (_, response, count) => {
    if (count > first.length) return success({ id: "1" })
    const told = first[count - 1]
    if (told === undefined) response.destroy()
    return told
  }

describe("A call that fails for a while", () => {
  it("is repeated with the same Idempotency-Key, whatever came between", async () => {
    await using registry = await standIn(
      failing(undefined, refusal(503, "upstream_unavailable", NOW), refusal(409, "request_in_flight")),
    )
    const answer = await connect({ baseUrl: registry.url }).tokens.create({ body })
    assert.isTrue(answer.success)
    const keys = registry.asked.map(({ headers }) => headers["idempotency-key"])
    assert.strictEqual(keys.length, 4)
    assert.match(keys[0] as string, /^[\da-f-]{36}$/)
    assert.strictEqual(new Set(keys).size, 1)
  })

  it("is repeated as a read when a proxy has no upstream, at most so often", async () => {
    await using registry = await standIn(() => ({ status: 502, body: "<html>" }))
    const { tokens } = connect({ baseUrl: registry.url, retries: 2 })
    assert.deepInclude(await tokens.list(), { code: "unexpected_answer", status: 502 })
    assert.strictEqual(registry.asked.length, 3)
  })

  it("is not repeated where that could do it twice, but for 429, which did nothing", async () => {
    await using registry = await standIn(failing(refusal(429, "rate_limited", NOW), undefined))
    const { tokens } = connect({ baseUrl: registry.url })
    assert.deepInclude(await tokens.update({ id: "x", body: {} }), { code: "unreachable" })
    assert.strictEqual(registry.asked.length, 2)
    await using busy = await standIn(() => refusal(503, "upstream_unavailable", NOW))
    const call = connect({ baseUrl: busy.url }).tokens.update
    assert.deepInclude(await call({ id: "x", body: {} }), { code: "upstream_unavailable" })
    assert.strictEqual(busy.asked.length, 1)
  })

  it("is left to the caller where waiting does not help, or takes too long", async () => {
    for (const told of [
      refusal(503, "not_configured"),
      refusal(429, "rate_limited", { "retry-after": "3600" }),
      refusal(429, "rate_limited", { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }),
      refusal(500, "internal_error"),
    ]) {
      await using registry = await standIn(() => told)
      const answer = await connect({ baseUrl: registry.url }).tokens.list()
      assert.isFalse(answer.success)
      assert.strictEqual(registry.asked.length, 1)
    }
  })

  it("is given up after its time, for each attempt", async () => {
    await using registry = await standIn(() => undefined)
    const { tokens } = connect({ baseUrl: registry.url, retries: 1, timeoutMillis: 50 })
    assert.deepInclude(await tokens.list(), { code: "unreachable" })
    assert.strictEqual(registry.asked.length, 2)
  })

  it("ends when it is aborted: before, while it is in flight, and between attempts", async () => {
    const reason = new Error("left")
    await using registry = await standIn((_, __, count) =>
      count === 1 ? undefined : refusal(429, "rate_limited", { "retry-after": "10" }),
    )
    const { tokens } = connect({ baseUrl: registry.url })
    const abortedAfter = async (requests: number) => {
      const leaving = new AbortController()
      const call = tokens.list({}, { signal: leaving.signal }).catch((error: unknown) => error)
      while (registry.asked.length < requests) await new Promise((resolve) => setTimeout(resolve, 5))
      leaving.abort(reason)
      assert.strictEqual(await call, reason)
    }
    await abortedAfter(0)
    await abortedAfter(1)
    const asked = registry.asked.length
    await abortedAfter(asked + 1)
    assert.strictEqual(registry.asked.length, asked + 1)
  })
})

describe("With `etags`", () => {
  it("an answer that has not changed is not sent again, and the oldest are forgotten", async () => {
    await using registry = await standIn(({ headers, path }) =>
      headers["if-none-match"] === `"${path}"`
        ? { status: 304, headers: { etag: `"${path}"` } }
        : { ...success([path]), headers: { etag: `"${path}"` } },
    )
    const { tokens } = connect({ baseUrl: registry.url, etags: 2 })
    const read = async (limit: number) => (answered(await tokens.list({ limit })) as unknown as { data: unknown }).data
    for (const limit of [1, 2, 1, 3, 1, 2]) assert.deepStrictEqual(await read(limit), [`/api/tokens?limit=${limit}`])
    assert.deepStrictEqual(
      registry.asked.map(({ headers }) => headers["if-none-match"] !== undefined),
      [false, false, true, false, true, false],
    )
  })
})
