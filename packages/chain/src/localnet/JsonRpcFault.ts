/** An error of JSON-RPC 2.0, with the codes that Solana's nodes use. */
export class JsonRpcFault extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }

  get body() {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) }
  }
}

export const invalidParams = (what: string): JsonRpcFault => new JsonRpcFault(-32602, `Invalid params: ${what}`)
