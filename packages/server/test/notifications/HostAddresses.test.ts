import { createSocket } from "node:dgram"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hostAddresses, nameServers } from "../../src/notifications/HostAddresses.ts"

const TYPES = { 1: "A", 28: "AAAA" } as const

/** Bytes of the records of each host, by type. */
const RECORDS: Readonly<Record<string, { readonly A?: ReadonlyArray<number>; readonly AAAA?: ReadonlyArray<number> }>> =
  {
    "outside.example": { A: [93, 184, 216, 34], AAAA: [0x20, 0x01, 0x48, 0x60, ...Array(11).fill(0), 1] },
    "inside.example": { A: [10, 0, 0, 1] },
    "both.example": { A: [93, 184, 216, 34], AAAA: [...Array(15).fill(0), 1] },
  }

const nameOf = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  while (query[at] !== 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!))
    at += 1 + query[at]!
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 }
}

/** The answer to a query (RFC 1035): its question, and one record or none. */
const answerTo = (query: Buffer): Buffer => {
  const { end, name } = nameOf(query)
  const type = TYPES[query.readUInt16BE(end) as 1 | 28]
  const record = RECORDS[name]?.[type]
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(RECORDS[name] === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(record === undefined ? 0 : 1, 6)
  header.writeUInt32BE(0, 8)
  const question = query.subarray(12, end + 4)
  if (record === undefined) return Buffer.concat([header, question])
  const fields = Buffer.from([0xc0, 12, 0, query[end + 1]!, 0, 1, 0, 0, 0, 60, 0, record.length])
  return Buffer.concat([header, question, fields, Buffer.from(record)])
}

/** A name server on loopback; its address. */
const nameServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const socket = createSocket("udp4")
    socket.on("message", (query, { address, port }) => socket.send(answerTo(query), port, address))
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
    return socket
  }),
  (socket) => Effect.sync(() => socket.close()),
).pipe(Effect.map((socket) => `127.0.0.1:${socket.address().port}`))

layer(Layer.empty, { excludeTestServices: true })("A host", (it) => {
  it.effect("has the addresses that name servers say, IPv4 and IPv6, if all of them are public", () =>
    Effect.gen(function* () {
      const addresses = hostAddresses(false, nameServers([yield* nameServer]))
      const of = (host: string) =>
        Effect.promise(() =>
          addresses(host).then(
            (found) => found.map(({ address, family }) => `${family} ${address}`),
            (error: Error) => error.name,
          ),
        )
      // A busy machine may be later than the resolver waits.
      const answered = (host: string) => Effect.repeat(of(host), { while: (found) => found === "HostNotFound" })
      assert.deepStrictEqual(yield* answered("outside.example"), ["4 93.184.216.34", "6 2001:4860::1"])
      assert.strictEqual(yield* answered("inside.example"), "RefusedAddress")
      assert.strictEqual(yield* answered("both.example"), "RefusedAddress")
      assert.strictEqual(yield* of("unknown.example"), "HostNotFound")
    }),
  )
})
