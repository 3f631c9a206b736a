import { Skeleton } from '@mantine/core'
import { ErrorState } from '../../components/states.tsx'

/** The grey shape of the form, or why it cannot be shown. */
export const Waiting = ({ error, retry }: { error: unknown; retry: () => unknown }) =>
  error ? (
    <ErrorState error={error} onRetry={() => void retry()} />
  ) : (
    <div aria-busy="true">
      <Skeleton h={58} mb={14} />
      <Skeleton h={58} mb={14} />
      <Skeleton h={40} />
    </div>
  )
