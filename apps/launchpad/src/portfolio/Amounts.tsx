import { Figure } from "../figures/Figure.tsx"
import { formatDecimal } from "../figures/Format.ts"
import type { Amount } from "./Worth.ts"

/** Amounts of several units, behind one another; none is a zero. */
export const Amounts = ({ of }: { readonly of: ReadonlyArray<Amount> }) =>
  of.length === 0
    ? "0"
    : of.map(({ unit, value }, index) => (
        <span key={unit}>
          {index > 0 && " + "}
          <Figure value={value} format={formatDecimal} unit={unit} />
        </span>
      ))
