import type { RawInstruction } from "@launch-registry/chain/transactions/RawTransaction"
import type { BodyText } from "./BodyElement.ts"

/** An instruction that is still bytes. */
export class ScannedInstruction implements RawInstruction {
  readonly programIdIndex: number
  readonly stackHeight: number | null | undefined
  readonly #body: BodyText
  readonly #accountsFrom: number
  readonly #accountsTo: number
  readonly #dataFrom: number
  readonly #dataTo: number
  #accounts: ReadonlyArray<number> | undefined
  #data: string | undefined

  /** Positions in the body: of the array of accounts, and of the text between the quotes of the data. */
  constructor(
    body: BodyText,
    programIdIndex: number,
    stackHeight: number | null | undefined,
    accountsFrom: number,
    accountsTo: number,
    dataFrom: number,
    dataTo: number,
  ) {
    this.#body = body
    this.programIdIndex = programIdIndex
    this.stackHeight = stackHeight
    this.#accountsFrom = accountsFrom
    this.#accountsTo = accountsTo
    this.#dataFrom = dataFrom
    this.#dataTo = dataTo
  }

  get accounts(): ReadonlyArray<number> {
    return (this.#accounts ??= this.#body.parse(this.#accountsFrom, this.#accountsTo) as ReadonlyArray<number>)
  }

  get data(): string {
    return (this.#data ??= this.#body.text(this.#dataFrom, this.#dataTo))
  }
}
