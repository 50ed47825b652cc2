import { hash, webcrypto } from "node:crypto"

/**
 * From this length on the threads of libuv hash. At 2 GiB/s of sha2-256 the event loop hashes 256 KiB in 0.13 ms; handing over
 * costs it 0.04 ms and 0.1 to 0.2 ms a MiB, as webcrypto takes a copy.
 */
const OFF_LOOP_BYTES_MIN = 262_144

/** Hashes that are made at the same time: as many as libuv has threads by default. Each has a copy of its bytes. */
export const HASHES_AT_ONCE = 4

/**
 * Begins the sha2-256 of bytes and holds the event loop no longer than handing them over takes. Workers with shared memory were
 * measured too: 5 % less time, for threads of our own to start and watch.
 */
export const hashOffLoop = async (bytes: Uint8Array): Promise<Uint8Array> =>
  bytes.length < OFF_LOOP_BYTES_MIN
    ? hash("sha256", bytes, "buffer")
    : new Uint8Array(await webcrypto.subtle.digest("SHA-256", bytes))
