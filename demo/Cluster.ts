import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"

const WAIT_MILLIS = 100
/** A local chain confirms at once; a validator takes some seconds. */
const CONFIRM_TRIES = 300

/** A transaction landed and failed, or did not land. */
export class TransactionFailed extends Error {}

/** The JSON-RPC of a local cluster. */
export class Cluster {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  async call<Result>(method: string, params: ReadonlyArray<unknown>): Promise<Result> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(30_000),
    })
    const answer = (await response.json()) as { readonly result: Result; readonly error?: { readonly message: string } }
    if (answer.error !== undefined) throw new TransactionFailed(`${method}: ${answer.error.message}`)
    return answer.result
  }

  /** Whether the cluster has the DBC program, without which there are no launches. */
  async executesDbc(): Promise<boolean> {
    const { value } = await this.call<{ readonly value: { readonly executable: boolean } | null }>("getAccountInfo", [
      DBC_PROGRAM,
      { encoding: "base64", commitment: "confirmed" },
    ])
    return value?.executable === true
  }

  /** Gives lamports to an address, and waits until they are there. */
  async airdrop(address: string, lamports: bigint): Promise<string> {
    return this.confirmed(await this.call<string>("requestAirdrop", [address, Number(lamports)]))
  }

  /** Sends a signed transaction (base64), and waits until it has landed. */
  async send(transaction: string): Promise<string> {
    const options = { encoding: "base64", preflightCommitment: "confirmed" }
    return this.confirmed(await this.call<string>("sendTransaction", [transaction, options]))
  }

  async confirmed(signature: string): Promise<string> {
    for (let tries = 0; tries < CONFIRM_TRIES; tries++) {
      const { value } = await this.call<{
        readonly value: ReadonlyArray<{ readonly err: unknown; readonly confirmationStatus: string } | null>
      }>("getSignatureStatuses", [[signature]])
      const [status] = value
      if (status != null && status.err !== null) throw new TransactionFailed(JSON.stringify(status.err))
      if (status != null && status.confirmationStatus !== "processed") return signature
      await new Promise((resolve) => setTimeout(resolve, WAIT_MILLIS))
    }
    throw new TransactionFailed(`${signature} did not land`)
  }
}
