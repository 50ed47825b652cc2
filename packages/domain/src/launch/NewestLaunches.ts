import { Context, type Effect } from "effect"
import type { Launch } from "./Launch.ts"

/** What the console's page is rendered with. Implemented by the server. */
export class NewestLaunches extends Context.Service<
  NewestLaunches,
  {
    /** The newest launches first, registered or not, with their markets, as `GET /api/launch/pools` answers them. */
    readonly read: (limit: number) => Effect.Effect<ReadonlyArray<Launch>>
  }
>()("@launch-registry/domain/launch/NewestLaunches") {}
