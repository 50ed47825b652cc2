import { Effect } from "effect"
import { documentedCode } from "../DocumentedCode.ts"

const page = documentedCode("docs/access.md", "sign.ts")

export interface Wallet {
  readonly address: string
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>
}

export interface Service {
  readonly url: string
  readonly network: string
}

/** What `sign.ts` of docs/access.md exports. */
export interface Signing {
  readonly authorization: (
    service: Service,
    wallet: Wallet,
    method: string,
    path: string,
    body?: Uint8Array,
  ) => Promise<string>
  readonly describeToken: (service: Service, wallet: Wallet, id: string, description: string) => Promise<void>
}

/** The code of the page, as a module. */
export const signing = Effect.map(page.module, (module) => module as Signing)

/** What the compiler says of the code of the page: its library is that of browsers. */
export const compiled = page.compiled(["--lib", "es2023,dom"])
