import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { CarReader } from "@ipld/car"
import { createContext } from "@web3-storage/upload-api/test/context"
import * as w3up from "@web3-storage/w3up-client"
import { generate, Signer } from "@web3-storage/w3up-client/principal/ed25519"
import { parse } from "@web3-storage/w3up-client/proof"
import { StoreMemory } from "@web3-storage/w3up-client/stores/memory"
import type { Ability, Delegation } from "@web3-storage/w3up-client/types"
import { Effect, Redacted, type Scope } from "effect"
import { base64 } from "multiformats/bases/base64"
import { CID } from "multiformats/cid"
import { identity } from "multiformats/hashes/identity"
import type { W3upOptions } from "../../src/w3up/W3upClient.ts"

/** The fault of a part of the service: no answer, a closed connection, or this status. */
export type Failure = "hang" | "reset" | number

/** The parts a client meets: messages to the service, bytes, receipts. */
export type Part = "service" | "storage" | "receipts"

/** What an agent needs for uploads. */
export const UPLOAD_ABILITIES: ReadonlyArray<Ability> = [
  "space/blob/add",
  "space/index/add",
  "filecoin/offer",
  "upload/add",
]

/** The contents of a delegation. */
export interface DelegationRequest {
  readonly abilities?: ReadonlyArray<Ability>
  /** Key of the agent it is for; absent: the agent of `key`. */
  readonly audienceKey?: Redacted.Redacted
  /** Unix time; absent: never. */
  readonly expirationSeconds?: number
  /** Of a space without storage. */
  readonly isWithoutStorage?: boolean
}

/** The w3up service of its own packages on loopback, with one space that has storage. */
export interface W3upService {
  readonly service: NonNullable<W3upOptions["service"]>
  readonly serviceUrl: string
  /** The service as a client sees it at another address or by another name. */
  readonly serviceAt: (url: string, did?: string) => NonNullable<W3upOptions["service"]>
  /** Key of an agent, and a delegation of the space to it. */
  readonly key: Redacted.Redacted
  readonly proof: Redacted.Redacted
  readonly delegate: (request: DelegationRequest) => Effect.Effect<Redacted.Redacted>
  readonly revoke: (proof: Redacted.Redacted) => Effect.Effect<void>
  /** Lets the client upload a file itself, and returns its root. */
  readonly uploadFile: (bytes: Uint8Array) => Effect.Effect<string>
  /** All requests, as `POST service`; `closed service` when the client aborted a hanging one. */
  readonly requests: Array<string>
  /** All writes are answered as the network has answered them since May 2026. */
  readonly refuseWrites: (isRefusing: boolean) => void
  /** The next requests to a part fail until this is reset. */
  readonly fail: (part: Part, failure: Failure | undefined) => void
  /** The blocks of an upload by CID, from its CARs; none when the space has no such upload. */
  readonly blocksOf: (root: CID) => Effect.Effect<ReadonlyMap<string, Uint8Array>>
}

/** A key of an unknown agent. */
export const newAgentKey: Effect.Effect<Redacted.Redacted> = Effect.promise(async () =>
  Redacted.make(Signer.format(await generate())),
)

const WRITES = [
  ["space", "blob", "add"],
  ["space", "index", "add"],
  ["upload", "add"],
]

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => void

export const w3upService: Effect.Effect<W3upService, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => start()),
  ({ close }) => Effect.promise(close),
)

const start = async (): Promise<W3upService & { readonly close: () => Promise<unknown> }> => {
  const requests: Array<string> = []
  const failures = new Map<Part, Failure>()
  const servers: Array<http.Server> = []
  let isRefusing = false

  /** A server on loopback; faults apply before anything is done. */
  const serverOf = (part: (request: http.IncomingMessage) => Part | undefined, listener: Listener) => {
    const server = http.createServer((request, response) => {
      const name = part(request)
      if (name === undefined) return listener(request, response)
      requests.push(`${request.method} ${name}`)
      const failure = failures.get(name)
      if (failure === "hang") return void response.on("close", () => requests.push(`closed ${name}`))
      if (failure === "reset") return void request.socket.resetAndDestroy()
      if (failure !== undefined) return void response.writeHead(failure, { "retry-after": "7" }).end("<p>Sorry</p>")
      listener(request, response)
    })
    servers.push(server)
    return server
  }

  const context = await createContext({
    requirePaymentPlan: false,
    assert: { fail: (error) => void requests.push(`defect ${String(error)}`) },
    http: {
      ...http,
      createServer: (listener: Listener) => onLoopback(serverOf(storagePart, unhurried(listener))),
    } as never,
  })
  // It allows the service to publish claims for 30 seconds; the delegator itself may do so without expiry.
  const { invocationConfig } = context.claimsService
  Object.assign(invocationConfig, { issuer: invocationConfig.audience, proofs: [] })
  const agentServer = context.connection.channel as unknown as { readonly service: object }
  for (const path of WRITES) refusable(agentServer.service, path, () => isRefusing)
  const messages = keptMessages(context.agentStore as unknown as AgentStore)

  const server = serverOf(
    ({ method, url }) => (method === "POST" ? "service" : url!.startsWith("/receipt/") ? "receipts" : undefined),
    async (request, response) => {
      const [, folder, name] = request.url!.split("/")
      if (request.method === "POST") {
        const body = new Uint8Array(await new Response(request as never).arrayBuffer())
        const answer = await context.connection.channel.request({
          headers: request.headers as never,
          body: body as never,
        })
        return void response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
      }
      if (folder === "messages") return void response.end(messages.get(name!))
      // The network keeps messages in a bucket and redirects to it.
      const isThere = messages.has(name!)
      response.writeHead(isThere ? 302 : 404, isThere ? { location: `/messages/${name}` } : {}).end()
    },
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const { connection: template } = (await w3up.create({ store: new StoreMemory() })).agent
  const serviceAt: W3upService["serviceAt"] = (url, did = context.id.did()) => {
    const channel = Object.assign(Object.create(template.channel), { url: new URL(url) })
    const connection = Object.assign(Object.create(template), { id: { did: () => did }, channel })
    return {
      serviceConf: { access: connection, upload: connection, filecoin: connection },
      receiptsEndpoint: new URL(`${url}/receipt/`),
    }
  }

  const owner = await w3up.create({
    principal: await generate(),
    store: new StoreMemory(),
    serviceConf: { access: context.connection, upload: context.connection, filecoin: context.connection } as never,
    receiptsEndpoint: new URL(`${serviceUrl}/receipt/`),
  })
  // By default it announces spaces to the gateway of the network.
  const bare = await owner.createSpace("bare", { skipGatewayAuthorization: true })
  await bare.save()
  const space = await owner.createSpace("uploads", { skipGatewayAuthorization: true })
  await space.save()
  await context.provisionsStorage.put({
    cause: { link: () => undefined } as never,
    consumer: space.did(),
    customer: "did:mailto:example.com:owner",
    provider: context.id.did() as never,
  })

  const agent = await generate()
  const delegate = async (request: DelegationRequest) => {
    const { abilities = UPLOAD_ABILITIES, audienceKey, expirationSeconds, isWithoutStorage = false } = request
    const audience = audienceKey === undefined ? agent : Signer.parse(Redacted.value(audienceKey))
    const expiration = expirationSeconds ?? Infinity
    await owner.setCurrentSpace((isWithoutStorage ? bare : space).did())
    const delegation = await owner.createDelegation(audience, [...abilities] as never, { expiration })
    await owner.setCurrentSpace(space.did())
    return Redacted.make(await encoded(delegation))
  }

  const revoke = async (proof: Redacted.Redacted) => {
    const revoked = await owner.revokeDelegation((await parse(Redacted.value(proof))).cid)
    if (revoked.error !== undefined) throw new Error("The proof was not revoked", { cause: revoked.error })
  }

  const uploadFile = async (bytes: Uint8Array) =>
    String(await owner.uploadFile(new Blob([Uint8Array.from(bytes)]), { pieceHasher: null } as never))

  const blocksOf = async (root: CID): Promise<ReadonlyMap<string, Uint8Array>> => {
    const upload = await context.uploadTable.get(space.did(), root as never)
    const blocks = new Map<string, Uint8Array>()
    for (const shard of upload.ok?.shards ?? []) {
      const stored = await context.blobRetriever.stream(shard.multihash)
      const car = await CarReader.fromBytes(new Uint8Array(await new Response(stored.ok).arrayBuffer()))
      for await (const { bytes, cid } of car.blocks()) blocks.set(cid.toString(), bytes)
    }
    return blocks
  }

  return {
    service: serviceAt(serviceUrl),
    serviceUrl,
    serviceAt,
    key: Redacted.make(Signer.format(agent)),
    proof: await delegate({}),
    delegate: (request) => Effect.promise(() => delegate(request)),
    revoke: (proof) => Effect.promise(() => revoke(proof)),
    uploadFile: (bytes) => Effect.promise(() => uploadFile(bytes)),
    requests,
    refuseWrites: (value) => (isRefusing = value),
    fail: (part, failure) => (failure === undefined ? failures.delete(part) : failures.set(part, failure)),
    blocksOf: (root) => Effect.promise(() => blocksOf(root)),
    close: () => Promise.all(servers.map(closed)),
  }
}

/** Requests between parts of the service are not the client's. */
const storagePart = ({ method }: http.IncomingMessage): Part | undefined => (method === "PUT" ? "storage" : undefined)

/** The package listens on all interfaces, on a port that is looked up afterwards. */
const onLoopback = (server: http.Server): http.Server => {
  const listen = server.listen.bind(server)
  return Object.assign(server, { listen: (ready: () => void) => listen(0, "127.0.0.1", ready) })
}

/** The package destroys responses that it has just ended, which may truncate them. */
const unhurried =
  (listener: Listener): Listener =>
  (request, response) =>
    listener(request, Object.assign(response, { destroy: () => response }))

const closed = (server: http.Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

type Handler = (...args: ReadonlyArray<unknown>) => unknown

/** Adds the refusal of storacha/upload-service (`disable-writes.js`) to a capability of the service. */
const refusable = (service: object, path: ReadonlyArray<string>, isRefusing: () => boolean) => {
  const parent = path.slice(0, -1).reduce((node, name) => node[name] as never, service as Record<string, unknown>)
  const handle = parent[path.at(-1)!] as Handler
  const message = `The "${path.join("/")}" capability is currently disabled.`
  parent[path.at(-1)!] = (...args: ReadonlyArray<unknown>) =>
    isRefusing() ? { error: { name: "ServiceUnavailable", message } } : handle(...args)
}

interface Message {
  readonly index: Iterable<{ readonly receipt?: { readonly task: object } }>
  readonly source: { readonly body: Uint8Array }
}

interface AgentStore {
  write: (message: Message) => unknown
}

/** The messages that hold receipts, by task, as the service wrote them to its store. */
const keptMessages = (store: AgentStore): ReadonlyMap<string, Uint8Array> => {
  const messages = new Map<string, Uint8Array>()
  const write = store.write.bind(store)
  store.write = (message) => {
    // It can be iterated only once.
    const index = [...message.index]
    for (const { receipt } of index)
      if (receipt !== undefined && !messages.has(String(receipt.task)))
        messages.set(String(receipt.task), message.source.body)
    return write({ ...message, index })
  }
  return messages
}

/** A delegation as `w3 delegation create --base64` prints it: an archive within an identity CID. */
const encoded = async (delegation: Pick<Delegation, "archive">): Promise<string> => {
  const { ok } = await delegation.archive()
  return CID.createV1(0x02_02, identity.digest(ok!)).toString(base64)
}
