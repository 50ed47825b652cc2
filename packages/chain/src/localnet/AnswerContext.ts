/** The version of Agave whose JSON-RPC answers these are like. */
export const NODE_VERSION = "4.2.0"
