import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { CpAmmIdl } from "@meteora-ag/cp-amm-sdk"
import { Effect, Schema } from "effect"
import { ANCHOR_ERRORS } from "../../src/submissions/AnchorErrors.ts"
import { failureOf } from "../../src/submissions/TransactionFailure.ts"
import { DAMM_V2_PROGRAM, DBC_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"

const of = (...facts: Parameters<typeof failureOf>) => Effect.promise(() => failureOf(...facts))

const NOWHERE = { instruction: null, program: null, customCode: null }
const BUDGET = "ComputeBudget111111111111111111111111111111"

describe("A failure in words", () => {
  it.effect("is what the program logged, with the program that failed first", () =>
    Effect.gen(function* () {
      const logs = [
        `Program ${DAMM_V2_PROGRAM} invoke [1]`,
        "Program log: Instruction: Swap",
        "Program log: AnchorError thrown in src/swap.rs:7. Error Code: ExceededSlippage. Error Number: 6002. Error Message: Exceeded slippage tolerance.",
        `Program ${DAMM_V2_PROGRAM} consumed 5000 of 200000 compute units`,
        `Program ${DAMM_V2_PROGRAM} failed: custom program error: 0x1772`,
      ]
      const err = { InstructionError: [1, { Custom: 6002n }] }
      assert.deepStrictEqual(yield* of(err, [BUDGET, DAMM_V2_PROGRAM], logs), {
        ...{ code: "ExceededSlippage", message: "Exceeded slippage tolerance", instruction: 1 },
        ...{ program: DAMM_V2_PROGRAM, customCode: 6002 },
      })
      // The called program failed, not its caller, whose code would mean something else.
      const called = [
        `Program ${DBC_PROGRAM} invoke [1]`,
        `Program ${TOKEN_PROGRAM} invoke [2]`,
        "Program log: Error: insufficient funds",
        `Program ${TOKEN_PROGRAM} failed: custom program error: 0x1`,
        `Program ${DBC_PROGRAM} failed: custom program error: 0x1`,
      ]
      assert.deepStrictEqual(yield* of({ InstructionError: [0, { Custom: 1 }] }, [DBC_PROGRAM], called), {
        ...{ code: "InsufficientFunds", message: "insufficient funds", instruction: 0, program: TOKEN_PROGRAM },
        customCode: 1,
      })
    }),
  )

  it.effect("is from what is known of the program where there are no logs", () =>
    Effect.gen(function* () {
      const custom = (code: number, program: string) => of({ InstructionError: [0, { Custom: code }] }, [program])
      assert.deepInclude(yield* custom(6002, DBC_PROGRAM), {
        ...{ code: "ExceededSlippage", message: "Exceeded slippage tolerance", program: DBC_PROGRAM },
      })
      assert.deepInclude(yield* custom(1, SYSTEM_PROGRAM), { code: "ResultWithNegativeLamports" })
      assert.deepInclude(yield* custom(17, TOKEN_PROGRAM), { code: "AccountFrozen" })
      assert.deepInclude(yield* custom(77, DAMM_V2_PROGRAM), { code: "Custom77", customCode: 77 })
      assert.deepInclude(yield* custom(6002, DAMM_V2_PROGRAM), {
        ...{ code: "ExceededSlippage", customCode: 6002, program: DAMM_V2_PROGRAM },
        message: "the price has moved: the swap would give less than the minimum",
      })
      assert.deepInclude(yield* custom(6046, DAMM_V2_PROGRAM), { code: "SamePosition", message: "same position" })
      for (const program of [DBC_PROGRAM, DAMM_V2_PROGRAM])
        assert.deepInclude(yield* custom(3012, program), {
          ...{ code: "AccountNotInitialized", message: "an account that the program expects does not exist" },
        })
      assert.deepInclude(yield* custom(3012, TOKEN_PROGRAM), { code: "Custom3012" })
    }),
  )

  it.effect("has every error of cp-amm by the name and code of its interface", () =>
    Effect.gen(function* () {
      const { errors } = CpAmmIdl
      assert.isAbove(errors.length, 70)
      for (const { code, name } of errors) {
        const { message, ...failure } = yield* of({ InstructionError: [2, { Custom: code }] }, [
          "",
          "",
          DAMM_V2_PROGRAM,
        ])
        assert.deepInclude(failure, { code: name, customCode: code, instruction: 2 })
        assert.match(message, /^[a-zA-Z0-9 :,]{5,100}$/)
      }
      const past = 6_000 + errors.length
      assert.deepInclude(yield* of({ InstructionError: [0, { Custom: past }] }, [DAMM_V2_PROGRAM]), {
        code: `Custom${past}`,
      })
    }),
  )

  it("has errors of Anchor by the names and codes of the framework", () => {
    const resolved = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/cp-amm-sdk"))
    const codes: Readonly<Record<string, number>> = resolved("@coral-xyz/anchor").LangErrorCode
    for (const [code, { name, sentence }] of ANCHOR_ERRORS) {
      assert.strictEqual(codes[name], code)
      assert.match(sentence, /^[a-z][a-z0-9 -]{10,80}$/)
    }
  })

  it.effect("is the network's where no program is to blame", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* of("AccountInUse", []), {
        code: "AccountInUse",
        message: "account in use",
        ...NOWHERE,
      })
      assert.deepInclude(yield* of({ InsufficientFundsForRent: { account_index: 3 } }, []), {
        ...{ code: "InsufficientFundsForRent", ...NOWHERE },
      })
      assert.deepInclude(yield* of({ InstructionError: [2, "ComputationalBudgetExceeded"] }, []), {
        ...{ code: "ComputationalBudgetExceeded", instruction: 2, program: null },
      })
    }),
  )

  it.effect.prop(
    "is short and plain text, whatever a node or a program says",
    [
      Schema.Json,
      Schema.Array(Schema.String),
      Schema.Literals(["Program log: Error: ", "Program log: ", `Program ${DBC_PROGRAM} failed: `, ""]),
    ],
    ([err, texts, prefix]) =>
      Effect.gen(function* () {
        for (const one of [err, { InstructionError: err }, { InstructionError: [0, err] }]) {
          const { code, message } = yield* of(
            one,
            [DBC_PROGRAM],
            texts.map((text) => `${prefix}${text}\ud800\u202e${"x".repeat(400)}`),
          )
          assert.isAtMost(code.length, 100)
          assert.isAtMost(message.length, 300)
          assert.isTrue((code + message).isWellFormed())
          assert.notMatch(code + message, /[\u0000-\u001f\u202e]/)
        }
      }),
  )
})
