import { giveBackMemory } from "@launch-registry/domain/webhooks/BodyMemory"
import { constants, createZstdCompress, type ZstdCompress } from "node:zlib"

/** The fastest level that is worth its time: transactions of one program resemble each other, so even it finds a factor of five. */
const LEVEL = 1
/**
 * Output is written into chunks of this size, one frame behind the other. While a chunk has room for all that a frame could take, zstd
 * reads its content where it stands; else it copies it first, piece by piece, and takes a fifth longer.
 */
const CHUNK_BYTES = 16 * 1024 * 1024
/** A larger buffer is not kept. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024
/** Buffers have room for somewhat larger contents, so that they are not made again for each that is. */
const ROOM = 1.25

/**
 * Makes one zstd frame after the other, outside of the event loop. What it takes is kept between them: a context and a buffer of its
 * own for each frame are several megabytes of fresh memory, which cost more than what is done in them and hasten the garbage
 * collector.
 */
export class FrameCompressor {
  readonly #stream: ZstdCompress
  #buffer = Buffer.alloc(0)
  #chunks: Array<Buffer> = []
  /** What the last frame lies in. */
  #memory: ArrayBufferLike | undefined
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

  /** What the content of the next frame is to be written into. */
  buffer(bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.ceil(bytes * ROOM))
    return this.#buffer.subarray(0, bytes)
  }

  /** The frame of what was written into the buffer, until the next one is asked for. One at a time. */
  compress(content: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#failed = reject
      this.#chunks = []
      this.#stream.write(content, (error) => {
        if (error) return reject(error)
        if (this.#buffer.length > KEPT_BYTES_MAX) this.#buffer = Buffer.alloc(0)
        resolve(this.#frame())
      })
    })
  }

  /** What was written to, with the memory given back that no frame is written to any more. */
  #frame(): Buffer {
    const [first, ...rest] = this.#chunks
    const frame = rest.length === 0 && first !== undefined ? first : Buffer.concat(this.#chunks)
    for (const { buffer } of this.#chunks) {
      if (this.#memory !== undefined && this.#memory !== buffer) giveBackMemory(new Uint8Array(this.#memory))
      this.#memory = buffer
    }
    return frame
  }
}
