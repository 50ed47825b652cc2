import { Failed } from "../registry/Failed.tsx"
import { useLaunch } from "./LaunchStore.ts"

/** What went wrong, and what to do now. */
export const Said = () => {
  const { failure, issues, notice } = useLaunch()
  return (
    <>
      {issues[""] !== undefined && <p role="alert">{issues[""]}</p>}
      {notice !== undefined && <p role="status">{notice.replace(/\.$/, "")}.</p>}
      {failure !== undefined && <Failed error={failure} />}
    </>
  )
}
