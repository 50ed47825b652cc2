import { createSocket } from "node:dgram"
import { assert, describe, it as itAlone, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hostAddresses, isPublicAddress, nameServers } from "../../src/outgoing/HostAddresses.ts"

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

const PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1"]
const PUBLIC_V6 = ["2606:4700::1111", "2a00:1450:4001:800::200e"]

/** Addresses that a message must never reach, by what they are. */
const REFUSED: Readonly<Record<string, ReadonlyArray<string>>> = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  "link-local, cloud metadata included": ["169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0"],
  "unique local, metadata of AWS over IPv6 included": ["fc00::1", "fd00:ec2::254"],
  "shared by carriers": ["100.64.0.1", "100.127.255.255"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  "mapped or compatible IPv4": ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::127.0.0.1", "::8.8.8.8"],
  "translated IPv4": ["64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  "reserved, documentation and benchmarks": [
    ...["192.0.0.1", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "240.0.0.1"],
    ...["255.255.255.255", "2001:db8::1", "2001:2::1", "3fff::1", "100::1", "5f00::1", "fec0::1", "4000::1"],
  ],
  "no address": ["", "localhost", "1.2.3", "1.2.3.4.5", "::g"],
}

describe("An address", () => {
  itAlone("is public if it is global unicast", () => {
    for (const address of [...PUBLIC, ...PUBLIC_V6]) assert.isTrue(isPublicAddress(address), address)
  })

  for (const [kind, addresses] of Object.entries(REFUSED))
    itAlone(`is not public if it is ${kind}`, () => {
      for (const address of addresses) assert.isFalse(isPublicAddress(address), address)
    })
})
