/** Where Helius delivers transactions, below the public URL: the server receives them there, the indexer registers it. */
export const WEBHOOK_PATH = "/api/webhooks/helius"
