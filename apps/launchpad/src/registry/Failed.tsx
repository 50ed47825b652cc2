import type { RegistryError } from "@launch-registry/client"
import { Button } from "../design/Button.tsx"
import styles from "./Failed.module.css"

const advice = ({ refusal: { status } }: RegistryError): string | undefined => {
  if (status === 0) return "Is the registry running, and is this machine online?"
  if (status === 429) return "This address has asked too often. It goes on in a moment."
  return undefined
}

/** Why something could not be read, in the place where it would be. */
export const Failed = ({ error, onRetry }: { readonly error: RegistryError; readonly onRetry?: () => void }) => (
  <div className={styles.failed} role="alert">
    <p>
      <b>{error.refusal.message}</b>
    </p>
    {advice(error) !== undefined && <p className="muted">{advice(error)}</p>}
    {error.refusal.requestId !== undefined && <p className="muted">Request {error.refusal.requestId}</p>}
    {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
  </div>
)
