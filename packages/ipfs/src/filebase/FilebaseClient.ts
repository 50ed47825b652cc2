import { type S3Bucket, s3Client, type S3Request } from "@launch-registry/s3/S3Client"
import { Effect } from "effect"
import { BackendFailed } from "../IpfsBackend.ts"

/** The only region of Filebase, by its documentation. */
const REGION = "us-east-1"

/** `retryAfterMillis` is dropped for permanent faults. */
export const filebaseFailed = (
  reason: string,
  isPermanent: boolean,
  more: { readonly scope?: BackendFailed["scope"]; readonly retryAfterMillis?: number | undefined } = {},
): BackendFailed =>
  new BackendFailed({
    backend: "filebase",
    reason,
    isPermanent,
    scope: more.scope ?? "backend",
    ...(isPermanent || more.retryAfterMillis === undefined ? {} : { retryAfterMillis: more.retryAfterMillis }),
  })

/** The S3 client of a bucket at Filebase, with its faults as those of a backend. */
export const filebaseClient = (bucket: Omit<S3Bucket, "service" | "region">) => {
  const send = s3Client({ ...bucket, service: "Filebase", region: REGION })
  return <A>(request: S3Request, read: (answer: Response) => Promise<A>, expected?: ReadonlyArray<number>) =>
    Effect.catchTag(send(request, read, expected), "S3Failed", ({ isPermanent, reason, retryAfterMillis, scope }) =>
      Effect.fail(
        filebaseFailed(reason, isPermanent, { scope: scope === "object" ? "upload" : "backend", retryAfterMillis }),
      ),
    )
}
