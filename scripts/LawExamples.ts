import * as Arbitrary from "effect/Arbitrary"
import { examples, SEED } from "./Laws.ts"

Arbitrary.configureGlobal({ check: { seed: SEED, runs: examples(40, 2_000) }, sample: { seed: SEED } })
