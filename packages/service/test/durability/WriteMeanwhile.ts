import { setTimeout as sleep } from "node:timers/promises"
import type { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import { bridgeWriter } from "./BridgeWriter.ts"
import { deliveryWriter } from "./DeliveryWriter.ts"
import { launchWriter } from "./LaunchWriter.ts"
import { recordWriter } from "./RecordWriter.ts"
import { tokenWriter } from "./TokenWriter.ts"
import { uploadWriter } from "./UploadWriter.ts"
import type { Desk, Writer } from "./Writer.ts"

const WRITERS = [tokenWriter, recordWriter, uploadWriter, launchWriter, deliveryWriter, bridgeWriter]
/** Between two writes of a writer: a read of earlier ones, and a pause. */
const LOOK_BACK_SHARE = 0.2
const PAUSE_MILLIS_MAX = 40

/**
 * Writes of every kind at the same time, until what happens `meanwhile` has ended; then all that was acknowledged is looked at. A failure ends
 * it for all: `failure` aborts what its signal is given to.
 */
export const writeMeanwhile = async (
  { client, failure, ledger, random }: Desk & { readonly failure: AbortController },
  meanwhile: () => Promise<unknown>,
): Promise<ReadonlyArray<Writer>> => {
  let isOver = false
  const writing = async (writer: Writer, pace: SeededRandom) => {
    // A kind of write that never happened would prove nothing.
    while (!isOver || ledger.isMissingAny) {
      await writer.write()
      if (pace.chance(LOOK_BACK_SHARE)) await writer.kept.lookAtOne()
      await sleep(pace.below(PAUSE_MILLIS_MAX))
    }
  }
  const all = WRITERS.map((writerOf) => writerOf({ client, ledger, random: random.split() }))
  const happening = meanwhile().then(() => void (isOver = true))
  try {
    await Promise.all([happening, ...all.map((writer) => writing(writer, random.split()))])
    for (const { kept } of all) await kept.lookAtAll()
  } catch (error) {
    failure.abort(error)
    await Promise.allSettled([happening])
    throw error
  }
  return all
}
