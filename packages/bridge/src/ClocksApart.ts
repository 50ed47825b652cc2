/**
 * Processes share instants through the database, and each has a clock of its own. An instant that is further ahead than
 * anything that is ever written, by more than this, was written by a process whose clock is ahead: it counts as past, so that
 * one wrong clock does not stop the others. Clocks that are less apart delay things by as much as they are apart. Milliseconds.
 *
 * The clock of the database would need no such margin, but then the time of the service would be two times: whatever a swap
 * shows is of the clock of the process, and tests move that one alone.
 */
export const CLOCKS_APART_MILLIS = 300_000
