/**
 * Gives the memory of a body, or of a piece of one, back at once; it is empty from then on. Left to the garbage collector, it counts
 * as growth: at some thousand transactions a second it would go over the whole heap several times a second for the sake of these bytes
 * alone. Of memory that is larger than the body, others have a share, and it is left as it is.
 */
export const giveBackMemory = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength) buffer.transfer(0)
}
