import type { IncomingHttpHeaders } from "node:http"
import { Effect } from "effect"
import type { CID } from "multiformats/cid"
import { listening, type S3Fault, S3Service, type Unstored } from "./S3StandIn.ts"
import { type Imported, importCar } from "./CarImport.ts"

export { BUCKET, CREDENTIALS } from "./S3StandIn.ts"

/** A fault of the stand-in. */
export type Fault =
  | S3Fault
  /** The CID in its answer; `undefined`: none. */
  | { readonly is: "cid"; readonly of: (root: CID) => string | undefined }

/** An object as received, and its import. */
export interface KeptObject extends Imported {
  readonly car: Buffer
}

/**
 * Stand-in for the S3 API of Filebase on loopback: imports CARs, and returns their CID in the answer and for HEAD. Filebase does not
 * document what GET of an import returns: `gives` selects it.
 */
export class FilebaseStandIn extends S3Service<KeptObject, Fault> {
  gives: "file" | "car" = "file"

  protected override async store(body: Buffer, headers: IncomingHttpHeaders): Promise<KeptObject | Unstored> {
    if (headers["x-amz-meta-import"] !== "car") return { code: "NotACar" }
    try {
      return { car: body, ...(await importCar(body)) }
    } catch (error) {
      return { code: "InvalidCar", message: String(error) }
    }
  }

  protected override bytesOf({ car, file }: KeptObject): Buffer {
    return this.gives === "car" ? car : file
  }

  protected override headersOf({ cid }: KeptObject, fault: Fault | undefined): Readonly<Record<string, string>> {
    const named = fault?.is === "cid" ? fault.of(cid) : cid.toString()
    return named === undefined ? {} : { "x-amz-meta-cid": named }
  }
}

/** A stand-in for the lifetime of a scope. */
export const filebaseStandIn = Effect.suspend(() => listening(new FilebaseStandIn()))
