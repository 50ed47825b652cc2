/**
 * Characters that are shown as nothing, or as white space, although Unicode counts them as symbols or letters: the braille pattern
 * without dots, the object replacement character, the musical symbol of a null notehead, and blank hieroglyphs. Those that are not shown at all are the
 * default ignorable ones.
 */
export const BLANK = /[\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/gu
