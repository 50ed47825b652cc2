import { releaseOnInterrupt } from "@launch-registry/postgres/LeasedQueue"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Cause, Effect, FiberMap, Layer } from "effect"
import { hostAddresses } from "../outgoing/HostAddresses.ts"
import { type ClaimedDocument, documentQueue } from "./DocumentQueue.ts"
import { documentPlace, IPFS_SITE, type MetadataOptions } from "./DocumentUrls.ts"
import { FetchFigures } from "./FetchFigures.ts"
import { findDocuments } from "./FindDocuments.ts"
import { getDocument, type Got } from "./GetDocument.ts"
import { readDocument } from "./ReadDocument.ts"

const LOOK_MILLIS = 1_000
const PACE_MILLIS = 1_000
/** Sites that are asked at the same time, beside IPFS, which most documents are in: others do not take its place. */
const SITES_AT_ONCE = 16
/** Requests to a site at a time: with the pace so many a second at most, of each process. */
const PER_SITE = 4
/** Documents of a site that are claimed together. */
const BATCH = 8
/** Batches until other sites may have a turn. */
const ROUNDS_MAX = 10

/**
 * Fetches what is due, site by site, so that a slow one holds up no other. Any number of processes may: a document is claimed with a
 * lease, and no transaction is open while its site is asked.
 */
export const fetchDocuments = Effect.fnUntraced(function* (options: MetadataOptions) {
  const queue = yield* documentQueue
  const figures = yield* FetchFigures
  const get = getDocument(options, hostAddresses(options.allowsPrivate, options.resolveHost))

  const attemptOf = (claimed: ClaimedDocument): Effect.Effect<Got> => {
    // Settings may have changed since it was put into the queue.
    const { urls } = documentPlace(claimed.uri, options) ?? { urls: [] }
    const url = urls[(claimed.attempts - 1) % urls.length]
    return url === undefined ? Effect.succeed({ fault: "refused_address" }) : get(url)
  }

  const attempt = Effect.fn("documentAttempt", { kind: "consumer", root: true })(function* (claimed: ClaimedDocument) {
    const got = yield* attemptOf(claimed)
    const document = got.fault === undefined ? readDocument(got.bytes) : undefined
    const fault = got.fault ?? "malformed"
    figures.count(document === undefined ? fault : "fetched")
    yield* got.fault === undefined && document !== undefined
      ? queue.fetched(claimed, document, got.source)
      : queue.failed(claimed, fault)
  })

  const atPace = (claimed: ClaimedDocument) =>
    Effect.all([attempt(claimed), Effect.sleep(options.paceMillis ?? PACE_MILLIS)], {
      ...{ concurrency: "unbounded", discard: true },
    })

  /** Fetches what is due at a site, or a part of it. */
  const fetchFrom = Effect.fnUntraced(function* (site: string) {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const claimed = yield* queue.claim(site, BATCH)
      yield* Effect.forEach(claimed, atPace, { concurrency: PER_SITE, discard: true }).pipe(
        releaseOnInterrupt(Effect.forEach(claimed, queue.release, { discard: true })),
      )
      if (claimed.length < BATCH) return
    }
  })

  return { find: yield* findDocuments(options), dueSites: queue.dueSites, fetchFrom }
})

const work = Effect.fnUntraced(function* (options: MetadataOptions) {
  const { dueSites, fetchFrom, find } = yield* fetchDocuments(options)
  const busy = yield* FiberMap.make<string, void>()
  let after = ""
  const fetchAt = (site: string) =>
    FiberMap.run(
      busy,
      site,
      Effect.catchCause(fetchFrom(site), (cause) =>
        // What it claimed is due again when the lease is over.
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logWarning("Fetching metadata documents failed and will be retried", cause),
      ),
    )
  const look = Effect.gen(function* () {
    const sites = new Set(Array.from(busy, ([site]) => site))
    if (!sites.has(IPFS_SITE)) yield* fetchAt(IPFS_SITE)
    sites.delete(IPFS_SITE)
    const places = SITES_AT_ONCE - sites.size
    if (places <= 0) return
    const { next, sites: due } = yield* dueSites(after)
    const free = due.filter((site) => site !== IPFS_SITE && !sites.has(site))
    // What finds no place is looked at again, in its turn.
    after = free.length > places ? free[places - 1]! : next
    yield* Effect.forEach(free.slice(0, places), fetchAt, { discard: true })
  })
  yield* Effect.forkScoped(regularly("Looking for metadata documents", LOOK_MILLIS, find))
  yield* Effect.forkScoped(regularly("Looking for due metadata documents", LOOK_MILLIS, look))
})

/** Fetches for as long as the process lives; nothing without options. Any number of processes may. */
export const FetchDocumentsLayer = (options: MetadataOptions | undefined) =>
  options === undefined ? Layer.empty : Layer.effectDiscard(work(options))
