import { noisePng } from "../../packages/service/test/NoisePng.ts"

/** Uploads to send sequentially, each another image. */
export interface UploadOrder {
  readonly url: string
  /** Pixels a side; the image has about as many bytes as pixels. Without it, the request is for the health instead. */
  readonly side: number | undefined
  readonly seed: number
}

/** Duration of one request, and the bytes of the image. */
export interface Uploaded {
  readonly millis: number
  readonly bytes: number
}

const send = async ({ seed, side, url }: UploadOrder): Promise<Uploaded> => {
  const image = side === undefined ? undefined : noisePng(seed, side)
  const form = new FormData()
  if (image !== undefined) form.append("image", new Blob([Uint8Array.from(image)]))
  const from = performance.now()
  const response =
    image === undefined
      ? await fetch(`${url}/api/ipfs/health`)
      : await fetch(`${url}/api/ipfs/upload-image`, { method: "POST", body: form })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return { millis: performance.now() - from, bytes: image?.length ?? 0 }
}

process.on("message", (order: UploadOrder) => void send(order).then((uploaded) => process.send!(uploaded)))
process.once("disconnect", () => process.exit())
process.send!("ready")
