import type { FirstList } from "./browser/board/FirstList.ts"

/**
 * `rendering/RenderedShell`, which has the types of a browser's document, and the service has not. HTML of the header and the board
 * with this list, or of one that is being read.
 */
export declare const renderShell: (list: FirstList | undefined) => string
