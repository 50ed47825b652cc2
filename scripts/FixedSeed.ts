import * as Arbitrary from "effect/Arbitrary"

/** Properties are checked with the same examples in every run; `PROPERTY_SEED=17` uses others. */
const seed = Number(process.env.PROPERTY_SEED ?? 1)

Arbitrary.configureGlobal({ check: { seed }, sample: { seed } })
