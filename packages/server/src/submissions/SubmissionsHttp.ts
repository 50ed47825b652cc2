import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { Effect } from "effect"
import { Submissions } from "./Submissions.ts"

const { respond, respondTagged } = answersOf("launch")

/** Handlers of submissions. */
export const submissionHandlers = Effect.gen(function* () {
  const submissions = yield* Submissions
  const requests = yield* IdempotentRequests
  return {
    submit: Effect.fnUntraced(function* ({ payload }) {
      const prepared = yield* submissions.prepare(payload)
      const response = yield* requests.commit(
        Effect.map(submissions.store(prepared), (data) =>
          respond("submit", { data }, { location: `/api/launch/submissions/${data.signature}` }),
        ),
      )
      // Stored first: what was answered is sent, by this process or another one.
      yield* submissions.send(prepared)
      return response
    }),
    submission: ({ params, request }) =>
      Effect.map(submissions.get(params.signature), (data) =>
        data.isFinal ? respondTagged("submission", request, { data }) : respond("submission", { data }),
      ),
  } satisfies Pick<Answering<"launch">, "submit" | "submission">
})
