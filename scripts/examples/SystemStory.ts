import { transactionsOfLocalChain } from "../../packages/indexer/src/sources/CapturedTransactions.ts"
import type { ExampleRecorder } from "./ExampleRecorder.ts"

const METRICS_LINES = 24

/** The first complete events, in wire format. */
const eventsUpTo =
  (count: number) =>
  (soFar: string): string | undefined => {
    const blocks = soFar.split("\n\n").slice(0, -1)
    const events = blocks.flatMap((block, index) =>
      block.includes("\nevent: ") || block.startsWith("event: ") ? [index] : [],
    )
    const last = events[count - 1]
    return last === undefined ? undefined : `${blocks.slice(0, last + 1).join("\n\n")}\n\n`
  }

const firstLines = (soFar: string): string | undefined => {
  const lines = soFar.split("\n")
  return lines.length > METRICS_LINES ? `${lines.slice(0, METRICS_LINES).join("\n")}\n` : undefined
}

/** What the leading indexer is asked to do. */
const indexerJobs = async (recorder: ExampleRecorder): Promise<void> => {
  const body = { kind: "backfill", fromSlot: "300000002", toSlot: "300000011", reason: "a gap after an outage" }
  const asked = { name: "backfill", summary: "Ten slots to be proven", body, status: 202 }
  const { data } = await recorder.ask("system.startJob", asked)
  await recorder.ask("system.startJob", {
    ...{ name: "invalid", summary: "No first slot", body: { kind: "backfill", reason: "a gap" }, status: 400 },
  })
  await recorder.readUntil("/api/system/indexer/jobs", (jobs) => jobs.data[0].endedAt)
  await recorder.ask("system.startJob", {
    ...{ name: "repair", summary: "The same slots, to be read again from the chain", status: 202 },
    body: { ...body, kind: "repair", reason: "proven by an older version" },
  })
  await recorder.readUntil("/api/system/indexer/jobs", (jobs) => jobs.data[0].endedAt)
  await recorder.ask("system.jobs", { name: "newest", summary: "What was asked for" })
  await recorder.ask("system.cancelJob", {
    name: "ended",
    summary: "Cancelled, unless it has ended",
    path: { id: data.id },
  })
}

interface Captured {
  readonly slot: number
  readonly transaction: { readonly message: { readonly instructions: ReadonlyArray<object> } }
  readonly meta: { readonly innerInstructions: ReadonlyArray<{ readonly index: number }> }
}

/** In another slot, behind more instructions than a transaction can have. */
const withTooMany = (captured: object) => {
  const { meta, slot, transaction, ...rest } = captured as Captured
  const { instructions, ...message } = transaction.message
  const calling = new Set(meta.innerInstructions.map(({ index }) => index))
  const others = Array.from({ length: INSTRUCTIONS_MAX }, () => instructions.find((_, index) => !calling.has(index))!)
  const innerInstructions = meta.innerInstructions.map((one) => ({ ...one, index: one.index + others.length }))
  return {
    ...{ ...rest, slot: slot + 1, meta: { ...meta, innerInstructions } },
    transaction: { ...transaction, message: { ...message, instructions: [...others, ...instructions] } },
  }
}
/** As many as an ordinal tells apart. */
const INSTRUCTIONS_MAX = 128

/** A delivery that cannot be read, and a transaction that cannot be decoded. */
const unusable = async (recorder: ExampleRecorder, transaction: object, webhookSecret: string): Promise<void> => {
  const headers = { authorization: webhookSecret }
  await recorder.ask("webhooks.helius", {
    ...{
      name: "unreadable",
      summary: "Accepted and stored as poison: no transaction",
      headers,
      body: [{ type: "TEST" }],
    },
  })
  await recorder.ask("webhooks.helius", {
    ...{ name: "undecodable", summary: "Accepted, and a dead letter: it has too many instructions", headers },
    body: [withTooMany(transaction)],
  })
  const firstLetter = await recorder.readUntil("/api/system/indexer/dead-letters", ({ data }) => data[0])
  await recorder.ask("system.deadLetters", { name: "newest", summary: "What could not be decoded, and why" })
  const path = { id: firstLetter.id }
  await recorder.ask("system.deadLetter", { name: "received", summary: "The transaction as it was received", path })
  await recorder.ask("system.deadLetter", {
    ...{ name: "none", summary: "No such dead letter", path: { id: "99999-0" }, status: 404 },
  })
  await recorder.ask("system.poison", { name: "newest", summary: "What could not be read, and why" })
}

/** The calls of operators and webhooks. */
export const systemStory = async (recorder: ExampleRecorder, webhookSecret: string): Promise<void> => {
  await recorder.ask("system.health", { name: "local", summary: "A service in local mode" })
  await recorder.ask("system.live", { name: "alive", summary: "The process is alive" })
  await recorder.ask("system.ready", { name: "ready", summary: "Nothing to warn of" })
  await recorder.ask("system.rpc", { name: "local", summary: "The local chain as the only endpoint" })
  await recorder.ask("system.indexer", { name: "complete", summary: "Everything is indexed and proven" })
  const path = { endpoint: "primary" }
  const body = { reason: "minutes behind, ticket 4711" }
  await recorder.ask("system.cordon", {
    name: "reason",
    summary: "Out of use, with a reason",
    path,
    body,
  })
  await recorder.ask("system.cordon", {
    ...{
      name: "unknown",
      summary: "No such endpoint",
      path: { endpoint: "backup-9" },
      body,
      status: 404,
    },
  })
  await recorder.ask("system.cordon", {
    ...{ name: "stranger", summary: "A request without a credential", path, body, isStranger: true, status: 401 },
  })
  await recorder.ask("system.uncordon", { name: "again", summary: "Back into use", path })
  await indexerJobs(recorder)
  await recorder.ask("audit.list", {
    ...{ name: "endpoint", summary: "Who cordoned an endpoint, and why", query: { subject: "primary" } },
  })
  await recorder.ask("metrics.read", { name: "first", summary: "The first lines", text: firstLines })
  await recorder.ask("stream.changes", {
    ...{ name: "launches", summary: "A reader that continues from the beginning", text: eventsUpTo(2) },
    query: { types: "token,trade,graduation", lastEventId: "0" },
  })
  await recorder.ask("stream.changes", {
    ...{ name: "reset", summary: "An id that no event had", text: eventsUpTo(1), query: { lastEventId: "999999" } },
  })
  const { launch: _, step: __, ...swap } = transactionsOfLocalChain.find(({ step }) => step === "swap-buy")!
  await recorder.ask("webhooks.helius", {
    ...{
      name: "transaction",
      summary: "A transaction that is known already",
      headers: { authorization: webhookSecret },
    },
    body: [swap],
  })
  await recorder.ask("webhooks.helius", {
    ...{ name: "forged", summary: "A delivery without the secret", body: [], status: 401 },
  })
  await unusable(recorder, swap, webhookSecret)
}
