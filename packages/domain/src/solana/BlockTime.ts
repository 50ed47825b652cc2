/** The last second that ISO 8601 writes with a year of four digits. */
export const TIME_MAX = 253_402_300_799n
