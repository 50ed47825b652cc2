import { constants, createZstdCompress, type ZstdCompress } from "node:zlib"

/** Transactions of one program resemble each other, so even the fastest level compresses them fivefold. */
const LEVEL = 1
/** While a chunk has room for the largest possible frame, zstd reads the content in place instead of copying it first. */
const CHUNK_BYTES = 16 * 1024 * 1024

/**
 * Makes one zstd frame after the other, off the event loop. The context is reused, because a new one for each of many small frames costs
 * more than the compression (with and without: docs/benchmarks.md).
 */
export class FrameCompressor {
  readonly #stream: ZstdCompress
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

  /** One at a time. */
  compress(content: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#failed = reject
      this.#chunks = []
      this.#stream.write(content, (error) => {
        const [first, ...rest] = this.#chunks
        if (error) reject(error)
        else resolve(rest.length === 0 && first !== undefined ? first : Buffer.concat(this.#chunks))
      })
    })
  }
}
