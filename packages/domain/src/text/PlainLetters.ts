const LETTERS = "abcdefghijklmnopqrstuvwxyz"

/** Small capitals that have no prototype among the letters in UTS #39, as it replaces them. */
const SMALL_CAPITALS = [..."ᴀʙᴅᴇꜰɢʜᴊĸʟʍɴᴘꞯʀᴛ"]
const THEIR_LETTERS = "abdefghjklmnpqrt"

/** Code points of white capitals on black circles and squares, from A: without a decomposition in Unicode. */
const FROM_A = [0x1f150, 0x1f170]

/**
 * Letters of other styles that neither normalization nor UTS #39 takes for those of ASCII, which every reader does, each with the
 * skeleton of its letter: that of an m is rn.
 */
export const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  [
    ...SMALL_CAPITALS.map((styled, at) => [styled, THEIR_LETTERS[at]!] as const),
    ...FROM_A.flatMap((first) => [...LETTERS].map((letter, at) => [String.fromCodePoint(first + at), letter] as const)),
  ].map(([styled, letter]) => [styled, letter === "m" ? "rn" : letter]),
)
