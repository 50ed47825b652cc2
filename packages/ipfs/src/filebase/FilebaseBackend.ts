import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import type { CID } from "multiformats/cid"
import type { FileDag } from "../Dag.ts"
import type { BackendFailed, IpfsBackend } from "../IpfsBackend.ts"
import { ByteComparison } from "./ByteComparison.ts"
import { carFile, leavesOf } from "../CarFile.ts"
import { parseCid } from "../ParseCid.ts"
import { beginningOf, type S3Bucket, s3Client } from "./S3Client.ts"
import { filebaseFailed, isMarkup } from "./S3Fault.ts"

/** Whoever delivers claims an upload for 90 s; an attempt ends well before. */
const ATTEMPT_MILLIS = 60_000
const PROBE_MILLIS = 5_000
/** Imports take a moment: what is not there yet is asked for again after these. */
const WAITS_MILLIS: ReadonlyArray<number> = [500, 1_500, 4_000]

const CID_HEADER = "x-amz-meta-cid"
/** More than any CID of a usual hash has; one of an identity hash can be as long as a header. */
const CID_CHARS_MAX = 120

/** Where content goes, and how long that may take. */
export interface FilebaseOptions extends S3Bucket {
  /** Before the names of objects, as in `launchpad/`; none by default. */
  readonly prefix?: string
  /** Whether content is read back after it was confirmed; it is by default. */
  readonly readBack?: boolean
  /** One attempt, with everything it asks. */
  readonly attemptMillis?: number
  readonly probeMillis?: number
  /** Waits before the CID, or the object, is asked for again. */
  readonly waitsMillis?: ReadonlyArray<number>
}

/**
 * Filebase by its S3 API (https://docs.filebase.com/api-documentation/s3-compatible-api): a CAR with the metadata
 * `import: car` is taken apart there and pinned under its root, which `x-amz-meta-cid` of the answer names, or of HEAD when
 * the answer does not. Filebase is not left to build a DAG of its own, whose parameters it does not document.
 *
 * An attempt succeeds when Filebase has named our root and the object reads back as what it was told to keep. The object
 * is named by the root, so that the same content writes the same object.
 */
export const filebaseBackend = (options: FilebaseOptions): IpfsBackend => {
  const { attemptMillis = ATTEMPT_MILLIS, prefix = "", probeMillis = PROBE_MILLIS, readBack = true } = options
  const { waitsMillis = WAITS_MILLIS } = options
  const send = s3Client(options)

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

  const confirm = Effect.fnUntraced(function* (root: CID, object: string, said: Option.Option<NamedCid>) {
    const named = Option.isSome(said) ? said : yield* inAWhile(askForCid(object), waitsMillis)
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

  const verify = Effect.fn("FilebaseBackend.verify")(function* (object: string, dag: FileDag, car: Uint8Array) {
    const read = send(
      { method: "GET", object },
      async (answer) => {
        if (answer.status !== 404) return Option.some(await isOurs(answer, dag, car))
        await beginningOf(answer)
        return Option.none<boolean>()
      },
      [404],
    )
    const verdict = yield* inAWhile(read, waitsMillis)
    if (Option.isNone(verdict))
      return yield* filebaseFailed("Filebase confirmed the object, but does not find it", false, ofUpload)
    if (!verdict.value)
      return yield* filebaseFailed("What reads back from Filebase is not what it was sent", false, ofUpload)
  })

  const put: IpfsBackend["put"] = Effect.fn("FilebaseBackend.put")(function* (dag) {
    const object = `${prefix}${dag.root.toString()}.car`
    let step = "the upload"
    yield* Effect.gen(function* () {
      const car = carFile(dag)
      const said = yield* upload(object, car)
      step = "the question for the CID"
      yield* confirm(dag.root, object, said)
      step = "the read back"
      if (readBack) yield* verify(object, dag, car)
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

/** The key does not count: a new one for the same bucket is no other place. */
const destinationOf = (endpoint: string, ...place: ReadonlyArray<string>): string =>
  createHash("sha256")
    .update(JSON.stringify([endpoint.replace(/\/+$/, ""), ...place]))
    .digest("hex")
    .slice(0, 16)

const ofUpload = { scope: "upload" } as const

/** What an answer names for a CID; `cid` is `undefined` for a text that is none, which is not passed on. */
interface NamedCid {
  readonly cid: CID | undefined
}

const cidNamedBy = ({ headers }: Response): Option.Option<NamedCid> =>
  Option.map(Option.fromNullishOr(headers.get(CID_HEADER)), (text) => ({ cid: parseCid(text.trim()) }))

const notS3 = filebaseFailed("Not S3 but a page answers at the endpoint of Filebase", false)

const late = (step: string) => Effect.fail(filebaseFailed(`Filebase did not answer ${step} in time`, false))

/** Asks again after each wait for what is not there yet. */
const inAWhile = Effect.fnUntraced(function* <A>(
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

/**
 * Whether an object is the CAR that was sent or the file in it: which of the two Filebase answers for an import it does
 * not document. Both are at hand, so the bytes are compared as they arrive: nothing is kept or hashed, no DAG is built
 * again (equal bytes have an equal one), and reading ends at the first byte that is wrong or too many.
 */
const isOurs = async (answer: Response, dag: FileDag, car: Uint8Array): Promise<boolean> => {
  const asCar = new ByteComparison([car])
  const asFile = new ByteComparison(leavesOf(dag))
  for await (const piece of answer.body ?? []) {
    const mayBeCar = asCar.take(piece)
    const mayBeFile = asFile.take(piece)
    if (!mayBeCar && !mayBeFile) return false
  }
  return asCar.isWhole() || asFile.isWhole()
}
