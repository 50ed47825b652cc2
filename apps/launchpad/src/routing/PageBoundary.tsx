import { Component, type ReactNode } from "react"
import { Button } from "../design/Button.tsx"
import styles from "../registry/Failed.module.css"

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly error?: Error
}

/** In place of a page whose files are not there any more, as after an update, or that fails: the rest of the app stays. */
export class PageBoundary extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className={styles.failed} role="alert">
        <p>
          <b>This page cannot be shown</b>
        </p>
        <p className="muted">{error.message}</p>
        <Button onClick={() => location.reload()}>Load it again</Button>
      </div>
    )
  }
}
