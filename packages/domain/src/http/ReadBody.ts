/** The body of an answer, of at most `bytesMax` after decompression; undefined if it has more, and reading stops there. */
export const readBody = async (response: Response, bytesMax: number): Promise<Buffer<ArrayBuffer> | undefined> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
