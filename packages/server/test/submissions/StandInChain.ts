import { readSigned } from "@launch-registry/chain/submissions/SignedTransaction"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Result } from "effect"
import { type Behaviour, failure, result, standInNode, type StandInNode } from "../../../chain/test/rpc/StandInNode.ts"

/** A transaction that landed, as all nodes know it. */
export interface Landed {
  readonly slot: number
  readonly err: unknown
  readonly confirmationStatus: "processed" | "confirmed" | "finalized"
}

/** Facts of a cluster that tests move by hand. */
export class StandInChain {
  slot = 6_000
  height = 5_000
  finalizedHeight = 4_970
  /** Slots by which finality lags: none to speak of under Alpenglow, and more and more while it stands still. */
  finalizedLag = 30
  /** Blockhashes that a transaction may still have. */
  readonly valid = new Set<string>()
  readonly landed = new Map<string, Landed>()
  logs: ReadonlyArray<string> = []
  simulation: unknown = null
  /** What each node was sent, by signature. */
  readonly sent = new Map<StandInNode, Array<readonly [signature: string, wire: string]>>()
  #hashes = 0

  /** A new blockhash of this chain, valid for 150 blocks. */
  lifetime() {
    const bytes = new Uint8Array(32).fill(3)
    new DataView(bytes.buffer).setUint32(0, ++this.#hashes)
    const blockhash = encodeBase58(bytes)
    this.valid.add(blockhash)
    return { blockhash, lastValidBlockHeight: BigInt(this.height + 150) }
  }

  /** Moves the chain by so many blocks, all of them finalized but the newest 30. */
  advance(blocks: number): void {
    this.slot += blocks
    this.height += blocks
    this.finalizedHeight = this.height - 30
  }

  land(signature: string, facts: Partial<Landed> = {}): void {
    this.landed.set(signature, { slot: this.slot, err: null, confirmationStatus: "processed", ...facts })
  }

  /** What the nodes were sent of a signature, in no order. */
  sentOf(signature: string): ReadonlyArray<string> {
    return [...this.sent.values()].flatMap((all) => all.filter(([one]) => one === signature).map(([, wire]) => wire))
  }

  /** A node of this chain that takes only what is rightly signed. */
  readonly node = Effect.map(standInNode, (node) => {
    this.sent.set(node, [])
    this.behave(node)
    return node
  })

  behave(node: StandInNode): void {
    const inContext = (value: unknown) => ({ context: { slot: this.slot }, value })
    const answers: Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>> = {
      getBlockHeight: () => this.height,
      getEpochInfo: () => ({ absoluteSlot: this.slot - this.finalizedLag, blockHeight: this.finalizedHeight }),
      isBlockhashValid: ([blockhash]) => inContext(this.valid.has(blockhash as string)),
      getSignatureStatuses: ([asked]) =>
        inContext((asked as ReadonlyArray<string>).map((one) => this.landed.get(one) ?? null)),
      simulateTransaction: () => inContext({ err: this.simulation, logs: this.logs, unitsConsumed: 150 }),
      getBalance: () => inContext(1_000_000_000),
      getFirstAvailableBlock: () => 0,
      getTransaction: () => null,
    }
    for (const [method, answer] of Object.entries(answers))
      node.behave(method, (response, call) => result(answer(call.params))(response, call))
    node.behave("sendTransaction", (response, call) => this.#take(node, String(call.params[0]))(response, call))
  }

  #take(node: StandInNode, wire: string): Behaviour {
    const signed = readSigned(Uint8Array.from(Buffer.from(wire, "base64")))
    if (Result.isFailure(signed)) return failure(-32_003, "Transaction signature verification failure")
    const { signature } = signed.success
    this.sent.get(node)!.push([signature, wire])
    return result(signature)
  }
}
