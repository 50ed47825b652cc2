import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import type { CID } from "multiformats/cid"
import { carFile } from "../content/CarFile.ts"
import type { BackendFailed, IpfsBackend } from "../backends/IpfsBackend.ts"
import { parseCid } from "../content/ParseCid.ts"
import { beginningOf, type Bucket, filebaseClient } from "./FilebaseClient.ts"
import { filebaseFailed, isMarkup } from "./FilebaseFault.ts"

/** Well below the 90 s for which a delivery is claimed. */
const ATTEMPT_MILLIS = 60_000
const PROBE_MILLIS = 5_000
/** Imports take a moment: backoff before asking again. */
const WAITS_MILLIS: ReadonlyArray<number> = [500, 1_500, 4_000]

const CID_HEADER = "x-amz-meta-cid"
/** Longer than any CID of a usual hash; an identity CID can be as long as a header. */
const CID_CHARS_MAX = 120

/** Where content goes, and how long that may take. */
export interface FilebaseOptions extends Bucket {
  /** Prefix of object names, such as `launchpad/`; empty by default. */
  readonly prefix?: string
  /** One attempt with all its requests. */
  readonly attemptMillis?: number
  readonly probeMillis?: number
  /** Backoff before the CID is requested again. */
  readonly waitsMillis?: ReadonlyArray<number>
}

/**
 * Filebase by its S3 API (https://docs.filebase.com/api-documentation/s3-compatible-api). It imports a CAR with the metadata
 * `import: car` and pins its root, which is in `x-amz-meta-cid` of the answer or of a later HEAD. A CAR, because Filebase does not
 * document the parameters of the DAGs it builds itself.
 *
 * An attempt succeeds once Filebase has confirmed our root; the signature covers the bytes. The object is named by the root, so the
 * same content overwrites the same object.
 */
export const filebaseBackend = (options: FilebaseOptions): IpfsBackend => {
  const { attemptMillis = ATTEMPT_MILLIS, prefix = "", probeMillis = PROBE_MILLIS } = options
  const { waitsMillis = WAITS_MILLIS } = options
  const send = filebaseClient(options)

  const upload = Effect.fn("FilebaseBackend.upload")(function* (object: string, body: Uint8Array<ArrayBuffer>) {
    const headers = { "content-type": "application/vnd.ipld.car", "x-amz-meta-import": "car" }
    const answer = yield* send({ method: "PUT", object, headers, body }, async (answer) => {
      await beginningOf(answer)
      return { named: cidNamedBy(answer), isPage: isMarkup(answer.headers) }
    })
    if (answer.isPage) return yield* notS3
    return answer.named
  })

  const askForCid = Effect.fn("FilebaseBackend.askForCid")((object: string) =>
    send({ method: "HEAD", object }, async (answer) => cidNamedBy(answer), [404]),
  )

  const confirm = Effect.fnUntraced(function* (root: CID, object: string, confirmed: Option.Option<NamedCid>) {
    const named = Option.isSome(confirmed) ? confirmed : yield* polled(askForCid(object), waitsMillis)
    if (Option.isNone(named))
      return yield* filebaseFailed("Filebase kept the object, but names no CID for it", false, ofUpload)
    const { cid } = named.value
    if (cid === undefined)
      return yield* filebaseFailed("Filebase names something for the object that is no CID", true, ofUpload)
    const other = cid.toString()
    if (other !== root.toString()) {
      return yield* filebaseFailed(
        `Filebase imported it as ${other.slice(0, CID_CHARS_MAX)} instead of ${root.toString()}`,
        true,
        ofUpload,
      )
    }
  })

  const put: IpfsBackend["put"] = Effect.fn("FilebaseBackend.put")(function* (dag) {
    const object = `${prefix}${dag.root.toString()}.car`
    let step = "the upload"
    yield* Effect.gen(function* () {
      const confirmed = yield* upload(object, carFile(dag))
      step = "the question for the CID"
      yield* confirm(dag.root, object, confirmed)
    }).pipe(Effect.timeoutOrElse({ duration: attemptMillis, orElse: () => late(step) }))
  })

  const probe = Effect.gen(function* () {
    if (yield* send({ method: "HEAD" }, async ({ headers }) => isMarkup(headers))) return yield* notS3
  }).pipe(
    Effect.timeoutOrElse({ duration: probeMillis, orElse: () => late("the question for the bucket") }),
    Effect.withSpan("FilebaseBackend.probe"),
  )

  return { name: "filebase", destination: destinationOf(options.endpoint, options.bucket, prefix), put, probe }
}

/** Without the key: the same bucket with a new key is the same destination. */
const destinationOf = (endpoint: string, ...place: ReadonlyArray<string>): string =>
  createHash("sha256")
    .update(JSON.stringify([endpoint.replace(/\/+$/, ""), ...place]))
    .digest("hex")
    .slice(0, 16)

const ofUpload = { scope: "upload" } as const

/** The CID of an answer; `undefined` inside if the header is not a CID. */
interface NamedCid {
  readonly cid: CID | undefined
}

const cidNamedBy = ({ headers }: Response): Option.Option<NamedCid> =>
  Option.map(Option.fromNullishOr(headers.get(CID_HEADER)), (text) => ({ cid: parseCid(text.trim()) }))

const notS3 = filebaseFailed("Not S3 but a page answers at the endpoint of Filebase", false)

const late = (step: string) => Effect.fail(filebaseFailed(`Filebase did not answer ${step} in time`, false))

/** Polls with backoff until there is an answer. */
const polled = Effect.fnUntraced(function* <A>(
  ask: Effect.Effect<Option.Option<A>, BackendFailed>,
  waitsMillis: ReadonlyArray<number>,
) {
  let found = yield* ask
  for (const millis of waitsMillis) {
    if (Option.isSome(found)) break
    yield* Effect.sleep(millis)
    found = yield* ask
  }
  return found
})
