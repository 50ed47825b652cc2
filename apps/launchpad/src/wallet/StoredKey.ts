const DATABASE = "launchpad"
const STORE = "keys"
const TEST_WALLET = "test wallet"

const resultOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser's database failed")))
  })

const opened = async (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE))
  return resultOf(request)
}

/**
 * The key pair of this browser's test wallet, made when there is none. Its private key cannot be read, only used. Who
 * asks at the same time gets the same: it is looked for and stored in one transaction, in which none can be made.
 */
export const testKeyPair = async (): Promise<CryptoKeyPair> => {
  const database = await opened()
  try {
    const made = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair
    const store = database.transaction(STORE, "readwrite").objectStore(STORE)
    const found: CryptoKeyPair | undefined = await resultOf(store.get(TEST_WALLET))
    if (found === undefined) await resultOf(store.put(made, TEST_WALLET))
    return found ?? made
  } finally {
    database.close()
  }
}
