import { RequestId } from "@launch-registry/domain/http/RequestId"
import type { GuardedRequest } from "@launch-registry/http/requests/GuardedRequest"
import { Cause, Effect, Exit } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { SqlClient } from "effect/sql/SqlClient"
import type { Identified } from "./Access.ts"
import { auditLog, type AuditedWrite } from "./AuditLog.ts"

/** How long the end of a request whose client has left waits for the database. */
const LEFT_MILLIS = 2_000

/** Fields of a body that name what it is about, the first of them that is there. */
const SUBJECT_FIELDS = [
  "mintAddress",
  "tokenAddress",
  "baseMint",
  "txHash",
  "depositAddress",
  "endpointId",
  "messageId",
]

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {}

const subjectOf = (params: Readonly<Record<string, string | undefined>>, body: unknown): string | undefined => {
  const fields = fieldsOf(body)
  const texts = [...Object.values(params), ...SUBJECT_FIELDS.map((name) => fields[name])]
  return texts.find((text): text is string => typeof text === "string")
}

/** The reason of a write that was done: then the operation declares the field. */
const reasonOf = (status: number | undefined, body: unknown): string | undefined => {
  const { reason } = fieldsOf(body)
  return status !== undefined && status < 300 && typeof reason === "string" ? reason : undefined
}

/** The status that a failure is answered with. */
const statusOf = (error: unknown): number => {
  const { response } = ((error as object | null)?.constructor ?? {}) as { readonly response?: { httpStatus?: number } }
  return response?.httpStatus ?? 400
}

const writer = ({ caller }: { readonly caller: Identified["caller"] }) =>
  caller._tag === "Key"
    ? ({ callerKind: "key", callerId: caller.id, callerName: caller.name } as const)
    : ({ callerKind: "wallet", callerId: caller.address, callerName: "" } as const)

type Response = HttpServerResponse.HttpServerResponse

/** Records writes of known callers, refused ones included. */
export const audited = Effect.gen(function* () {
  const log = auditLog(yield* SqlClient)

  return <E, R>(
    work: Effect.Effect<Response, E, R>,
    of: {
      readonly caller: Identified["caller"]
      readonly endpoint: HttpApiEndpoint.Top
      readonly seam: GuardedRequest
    },
  ) => {
    const { method, path } = of.endpoint
    if (method === "GET") return work
    return Effect.gen(function* () {
      const params = yield* HttpRouter.params
      const subject = subjectOf(params, undefined)
      const write: AuditedWrite = { ...writer(of), method, route: path, requestId: yield* RequestId, subject }
      const id = yield* Effect.orDie(log.begin(write))
      const note = (status: number | undefined) =>
        log
          .end(id, { status, subject: subjectOf(params, of.seam.body), reason: reasonOf(status, of.seam.body) })
          .pipe(Effect.catchCause((cause) => Effect.logWarning("The audit log has no status for a write", cause)))
      return yield* Effect.onExit(work, (exit) => {
        if (Exit.isSuccess(exit)) return note(exit.value.status)
        // The client is gone: whether it was done is not known here, but what it was about.
        if (Cause.hasInterruptsOnly(exit.cause))
          return note(undefined).pipe(Effect.interruptible, Effect.timeoutOption(LEFT_MILLIS), Effect.asVoid)
        const failure = exit.cause.reasons.find(Cause.isFailReason)
        return note(failure === undefined ? 500 : statusOf(failure.error))
      })
    })
  }
})
