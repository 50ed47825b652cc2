import { constants, createZstdCompress, type ZstdCompress } from "node:zlib"

/** Transactions of one program resemble each other, so even the fastest level compresses them fivefold. */
const LEVEL = 1
/** While a chunk has room for the largest possible frame, zstd reads the content in place instead of copying it first. */
const CHUNK_BYTES = 16 * 1024 * 1024
/** A larger buffer is not kept. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024
/** Room for a somewhat larger content next time. */
const HEADROOM = 1.25

/**
 * Makes one zstd frame after the other, off the event loop. The context and the buffer of the content are reused: new ones for each frame
 * are megabytes of fresh memory, which cost a fifth of the CPU of ingest.
 */
export class FrameCompressor {
  readonly #stream: ZstdCompress
  #buffer = Buffer.alloc(0)
  #chunks: Array<Buffer> = []
  #failed: ((error: Error) => void) | undefined

  constructor() {
    this.#stream = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
      chunkSize: CHUNK_BYTES,
      // Each write is a frame.
      flush: constants.ZSTD_e_end,
    })
    this.#stream.on("data", (chunk: Buffer) => void this.#chunks.push(chunk))
    this.#stream.on("error", (error) => this.#failed?.(error))
  }

  /** What the content of the next frame is written into. */
  buffer(bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.ceil(bytes * HEADROOM))
    return this.#buffer.subarray(0, bytes)
  }

  /** The frame of what was written into the buffer; never overwritten. One at a time. */
  compress(content: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#failed = reject
      this.#chunks = []
      this.#stream.write(content, (error) => {
        if (error) return reject(error)
        if (this.#buffer.length > KEPT_BYTES_MAX) this.#buffer = Buffer.alloc(0)
        const [first, ...rest] = this.#chunks
        resolve(rest.length === 0 && first !== undefined ? first : Buffer.concat(this.#chunks))
      })
    })
  }
}
