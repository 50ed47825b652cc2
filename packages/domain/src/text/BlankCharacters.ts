/**
 * Characters that are shown as nothing, or as white space, although Unicode counts them as symbols: the braille pattern without
 * dots, the object replacement character, and the musical symbol of a null notehead. Those that are not shown at all are the
 * default ignorable ones.
 */
export const BLANK = /[\u2800\ufffc\u{1d159}]/gu
