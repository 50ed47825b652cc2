import type { AccountTable } from "../transactions/AccountTable.ts"
import { dammV1Decoder } from "../dammV1/DammV1Swaps.ts"
import { dammV2Decoder } from "../dammV2/DammV2Events.ts"
import { dbcDecoder } from "../dbc/DbcCalls.ts"
import type { ProgramDecoder } from "../transactions/ProgramDecoder.ts"

/** Programs whose calls are decoded. */
const DECODERS: ReadonlyArray<ProgramDecoder> = [dbcDecoder, dammV2Decoder, dammV1Decoder]

/** Those that a transaction names, by their index among its accounts. */
export const decodersIn = (keys: AccountTable): ReadonlyMap<number, ProgramDecoder> => {
  const named = new Map<number, ProgramDecoder>()
  for (const decoder of DECODERS) {
    const index = keys.indexOf(decoder.program)
    if (index >= 0) named.set(index, decoder)
  }
  return named
}
