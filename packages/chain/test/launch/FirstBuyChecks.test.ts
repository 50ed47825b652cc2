import { assert, describe, it } from "@effect/vitest"
import { getAddressEncoder, type Address } from "@solana/kit"
import { Schema } from "effect"
import { quoteTokenFault } from "../../src/launches/FirstBuyChecks.ts"
import { TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const STRANGER = "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e"
const QUOTE_MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

const U64 = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 64n - 1n }))

const account = (owner: string, amount: bigint, state = 1) => {
  const data = new Uint8Array(165)
  data.set(getAddressEncoder().encode(QUOTE_MINT as Address), 0)
  data.set(getAddressEncoder().encode(owner as Address), 32)
  new DataView(data.buffer).setBigUint64(64, amount, true)
  data[108] = state
  return { owner: TOKEN_PROGRAM as string, lamports: 2_039_280n, data }
}

const faultOf = (from: ReturnType<typeof account> | undefined, amountIn: bigint) =>
  quoteTokenFault(from as never, {
    signer: SIGNER,
    quote: { mint: QUOTE_MINT, program: TOKEN_PROGRAM, decimals: 6 },
    amountIn,
  })

describe("The quote tokens of a first buy", () => {
  it.prop("are there when the wallet holds as many, and what is missing is said", [U64, U64], ([held, amountIn]) => {
    const fault = faultOf(account(SIGNER, held), amountIn)
    if (held >= amountIn) assert.isUndefined(fault)
    else
      assert.deepInclude(fault, {
        ...{ _tag: "InsufficientFunds", held: String(held), shortfall: String(amountIn - held) },
      })
  })

  it.prop("cannot be sent from an account that is frozen, or that the wallet gave away", [U64], ([amount]) => {
    assert.deepInclude(faultOf(account(SIGNER, amount, 2), amount), { path: "body.signer" })
    assert.deepInclude(faultOf(account(STRANGER, amount), amount), { path: "body.signer" })
    assert.deepInclude(faultOf(undefined, amount), { _tag: "InsufficientFunds", held: "0" })
  })
})
