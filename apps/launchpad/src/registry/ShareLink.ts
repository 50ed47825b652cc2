import { brand } from "../../brand.ts"
import { hrefOf } from "../routing/Route.ts"
import { REGISTRY_URL } from "./Connection.ts"

/** The link to a token that people share: it shows in chats where the registry serves this page, as it leads back there. */
export const shareLinkOf = (mint: string): string =>
  brand.registry === "" ? new URL(`t/${mint}`, REGISTRY_URL).href : new URL(hrefOf(`token/${mint}`), location.href).href
