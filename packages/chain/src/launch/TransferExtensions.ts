import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"
import type { PoolFacts } from "./CurveSnapshot.ts"
import { TOKEN_2022_PROGRAM } from "./Programs.ts"
import { ACCOUNT_TYPE_OFFSET } from "./TokenLayouts.ts"

/** After the account type: extensions, each a u16 type, a u16 length and its data. */
const EXTENSIONS_OFFSET = ACCOUNT_TYPE_OFFSET + 1
const HEADER_BYTES = 4
const UNINITIALIZED = 0
const TRANSFER_FEE_CONFIG = 1
const TRANSFER_HOOK = 14
/** The program of a hook stands after its authority. */
const HOOK_PROGRAM_OFFSET = 32
/** Flag of a token of Token-2022 in configurations. */
const TOKEN_2022 = 1

/**
 * What a transfer of this mint does besides: DAMM v2 takes transfer fees into account, which quotes here do not, and calls
 * no hooks. `undefined` when it does nothing. Tokens that the DBC program creates have neither.
 */
export const transferExtension = ({ data, owner }: RawAccount): "transfer_fee" | "transfer_hook" | undefined => {
  if (owner !== TOKEN_2022_PROGRAM) return undefined
  const account = new AccountReader(data)
  for (let at = EXTENSIONS_OFFSET; at + HEADER_BYTES <= data.length;) {
    const [type, length] = [account.u16(at), account.u16(at + 2)]
    if (type === UNINITIALIZED) break
    const [begin, end] = [at + HEADER_BYTES, at + HEADER_BYTES + length]
    if (type === TRANSFER_FEE_CONFIG) return "transfer_fee"
    if (type === TRANSFER_HOOK && data.subarray(begin + HOOK_PROGRAM_OFFSET, end).some((byte) => byte !== 0))
      return "transfer_hook"
    at = end
  }
  return undefined
}

/** A mint that is read for its extensions. */
export type ExtendableMint = "baseMint" | "quoteMint"

/** Mints that can have extensions, of a curve that DAMM v2 continues: they are read with the pool. */
export const extendableMints = ({
  baseMint,
  config,
  destination,
}: PoolFacts): Readonly<Record<ExtendableMint, string | undefined>> => {
  const isOfInterest = destination?.venue === "damm_v2"
  return {
    baseMint: isOfInterest && config.tokenType === TOKEN_2022 ? baseMint : undefined,
    quoteMint: isOfInterest && config.quoteTokenFlag === TOKEN_2022 ? config.quoteMint : undefined,
  }
}
