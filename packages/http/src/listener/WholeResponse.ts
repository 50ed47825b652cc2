import { ServerResponse } from "node:http"

/**
 * Sends a body that is one text together with its headers. Node checks declared lengths if it is told to, as it is of every answer, and
 * then writes twice: the length of a text was counted from it.
 */
export class WholeResponse extends ServerResponse {
  override end(...sent: ReadonlyArray<unknown>): this {
    if (typeof sent[0] === "string") this.strictContentLength = false
    return super.end(...(sent as Parameters<ServerResponse["end"]>))
  }
}
