import * as Arbitrary from "effect/Arbitrary"

/** Properties are looked at with the same examples in every run; `PROPERTY_SEED=17` looks elsewhere. */
const seed = Number(process.env.PROPERTY_SEED ?? 1)

Arbitrary.configureGlobal({ check: { seed }, sample: { seed } })
