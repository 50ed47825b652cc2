import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { encodedEvent, type EventName } from "../../src/dbc/EventLayouts.ts"
import { PLAIN_EVENTS } from "../../src/dbc/PlainEvents.ts"
import { dbcOver } from "./MeteoraSdk.ts"

const EVENT_TAG = Buffer.from("e445a52e51cb9a1d", "hex")
const ROUNDS = 50
const ACCOUNT = "account "
const account = (position: number) => `${ACCOUNT}${position}`

/** The program's own IDL, as Anchor parses it. */
const { coder, idl } = dbcOver().pool.getProgram()

/** Bytes of the fields of each event, without tag and discriminator. */
const FIELD_BYTES: Readonly<Partial<Record<EventName, number>>> = {
  EvtCurveComplete: 80,
  EvtUpdatePoolCreator: 96,
  EvtVirtualPoolMetadata: 64,
  EvtPartnerMetadata: 64,
  EvtClaimTradingFee: 48,
  EvtClaimCreatorTradingFee: 48,
  EvtPartnerWithdrawSurplus: 40,
  EvtCreatorWithdrawSurplus: 40,
  EvtWithdrawLeftover: 72,
  EvtWithdrawMigrationFee: 41,
  EvtClaimPoolCreationFee: 72,
  EvtPartnerClaimPoolCreationFee: 104,
  EvtClaimProtocolFee2: 104,
}

const discriminatorOf = (name: string): Buffer =>
  Buffer.from(idl.events.find((event) => event.name === name[0]!.toLowerCase() + name.slice(1))!.discriminator)

/** All values of an event as text, in any order. */
const texts = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values
    .filter((value) => value !== null)
    .map(String)
    .sort()

describe("Self-contained events decode as with the IDL", () => {
  for (const [name, decode] of Object.entries(PLAIN_EVENTS)) {
    it(name, () => {
      for (let round = 0; round < ROUNDS; round++) {
        const fields = randomBytes(FIELD_BYTES[name as EventName]!)
        const event = Buffer.concat([discriminatorOf(name), fields])
        const theirs = coder.events.decode(event.toString("base64"))!
        const bytes = Uint8Array.from(Buffer.concat([EVENT_TAG, event]))
        const found = encodedEvent(encodeBase58(bytes))
        assert.strictEqual(found?.name, name)
        const {
          by: _by,
          type: _type,
          ...ours
        } = decode(new AccountReader(bytes), account) as {
          by?: string
          type: string
        }
        const own = Object.values(ours).filter((value) => !String(value).startsWith(ACCOUNT))
        assert.deepStrictEqual(texts(own), texts(Object.values(theirs.data)))
        assert.deepStrictEqual({ ...decode(found!.reader, account) }, { ...decode(new AccountReader(bytes), account) })
      }
    })
  }

  /** The instructions that emit each event, and which of their accounts it takes. */
  const CLAIMS = [
    ["EvtClaimTradingFee", ["claimTradingFee", "claimTradingFee2"], "feeClaimer"],
    ["EvtClaimCreatorTradingFee", ["claimCreatorTradingFee", "claimCreatorTradingFee2"], "creator"],
    ["EvtPartnerWithdrawSurplus", ["partnerWithdrawSurplus"], "feeClaimer"],
    ["EvtCreatorWithdrawSurplus", ["creatorWithdrawSurplus"], "creator"],
    ["EvtWithdrawMigrationFee", ["withdrawMigrationFee"], "sender"],
  ] as const
  for (const [name, instructions, claimer] of CLAIMS)
    it(`${name} takes who claims and the mints from the accounts of its instruction`, () => {
      const bytes = Uint8Array.from(randomBytes(16 + FIELD_BYTES[name]!))
      for (const instruction of instructions) {
        const { accounts } = idl.instructions.find((one) => one.name === instruction)!
        const fact = PLAIN_EVENTS[name]!(new AccountReader(bytes), (position) => accounts[position]!.name)
        assert.deepInclude(fact, { claimer, quoteMint: "quoteMint" })
        if ("baseMint" in fact) assert.strictEqual(fact.baseMint, "baseMint")
      }
    })
})
