import type { SeededRandom } from "../../indexer/fixtures/SeededRandom.ts"
import type { IntentsCall, IntentsTrouble, Tampering } from "../../bridge/test/IntentsFaults.ts"

const FAULTS_IN_TEN = 3

const TAMPERINGS: ReadonlyArray<Tampering> = [
  ...(["depositAddress", "recipient", "refundTo", "amount", "appFees", "deadline", "stranger", "unsigned"] as const),
  ...(["resigned_recipient", "resigned_amount"] as const),
]

/** Each is as likely as it is frequent here: faults that delay everything are rare, so that other things happen too. */
const TROUBLES: ReadonlyArray<IntentsTrouble> = [
  ...(["hang", { status: 429, retryAfter: "1" }] as const),
  ...Array.from({ length: 3 }, () => [
    ...(["reset", "cut", "html", "malformed_json", "other_shape"] as const),
    ...([{ status: 500 }, { status: 502, isHtml: true }, { status: 503, isHtml: true }] as const),
  ]).flat(),
]

/** Which calls fail, and how: three of ten, at random. Half of the failing quotes are tampered with. */
export class FaultDice {
  /** Faults so far, by kind. */
  readonly thrown = new Map<string, number>()
  #bag: Array<boolean> = []
  #troubles: Array<IntentsTrouble> = []
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  roll(call: IntentsCall): IntentsTrouble | undefined {
    if (this.#bag.length === 0) this.#bag = Array.from({ length: 10 }, (_, at) => at < FAULTS_IN_TEN)
    if (!this.#from(this.#bag)) return undefined
    if (this.#troubles.length === 0) this.#troubles = [...TROUBLES]
    const trouble: IntentsTrouble =
      call === "quote" && this.#random.chance(0.5)
        ? { tamper: TAMPERINGS[this.#random.below(TAMPERINGS.length)]! }
        : this.#from(this.#troubles)
    const name = typeof trouble === "string" ? trouble : String(Object.values(trouble)[0])
    this.thrown.set(name, (this.thrown.get(name) ?? 0) + 1)
    return trouble
  }

  /** Without putting it back, so that each comes as often as it is there. */
  #from<A>(bag: Array<A>): A {
    return bag.splice(this.#random.below(bag.length), 1)[0]!
  }
}
