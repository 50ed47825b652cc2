/** Settings that production needs; their secrets hold a word that nothing may show. */
export const PRODUCTION = {
  RUN_MODE: "production",
  PUBLIC_URL: "https://api.example",
  NETWORK: "mainnet",
  DATABASE_URL: "postgres://user:CANARY@db/registry",
  RPC_URL: "https://rpc.example/?key=CANARY",
  RPC_BACKUP_URL: "https://backup.example/?key=CANARY",
}
