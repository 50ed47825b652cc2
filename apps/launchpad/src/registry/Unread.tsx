import type { RegistryError } from "@launch-registry/client"
import { Failed } from "./Failed.tsx"

/** In the place of what is not read yet, or could not be. */
export const Unread = ({
  children = "Loading",
  error,
  onRetry,
}: {
  readonly error: RegistryError | null
  readonly onRetry: () => unknown
  /** What is said while it is read. */
  readonly children?: string
}) => (error === null ? <p role="status">{children}</p> : <Failed error={error} onRetry={() => void onRetry()} />)
