/** A request of a stranger. */
export interface AttackRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** The dearest requests that we know to some operations. */
export interface OperationScene {
  /** As in openapi.json. */
  readonly operations: ReadonlyArray<string>
  readonly what: string
  readonly times: number
  readonly request: (nth: number) => AttackRequest
}

/** What the scenes ask for. */
export interface SceneFacts {
  readonly tokenIds: ReadonlyArray<string>
  readonly mints: ReadonlyArray<string>
  readonly tradedMint: string
  readonly funded: string
  /** Transactions of a wallet without SOL, on blockhashes that nobody knows. */
  readonly signed: ReadonlyArray<string>
  /** Of an image of several blocks. */
  readonly cid: string
}

export const get = (path: string, headers: Readonly<Record<string, string>> = {}): AttackRequest => ({
  ...{ method: "GET", path, headers },
})
export const JSON_TYPE = { "content-type": "application/json" }
export const sent = (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  ...{ method, path, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(JSON.stringify(body)) },
})
export const form = ({
  body,
  path,
  type,
}: {
  readonly body: Buffer
  readonly path: string
  readonly type: string
}) => ({
  ...{ method: "POST", path, headers: { "content-type": type }, body },
})

/** The same request so many times, to operations as they stand in openapi.json. */
export const scene = (operations: string, what: string, times: number, request: OperationScene["request"]) => ({
  ...{ operations: operations.split(", "), what, times, request },
})
