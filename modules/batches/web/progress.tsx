import { ProgressText } from '#web/components/display/progress-text.tsx'
import type { ListedBatch } from '#web/lib/api/contract.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import classes from './batches.module.css'
import { useBatchMessages } from './messages.ts'
import { doneOf, percentOf } from './percent.ts'

export interface BatchProgressProps {
  batch: Pick<ListedBatch, 'total' | 'succeeded' | 'failed' | 'skipped' | 'state'>
}

/** Number of the requests that have ended, and how many of them failed. */
export const BatchCounts = ({ batch }: BatchProgressProps) => {
  const say = useBatchMessages()
  if (batch.total === 0) return <span className="faint">—</span>
  return (
    <span className={classes.progress}>
      <span className="num muted">
        {say('ofTotal', { done: formatInteger(doneOf(batch)), total: formatInteger(batch.total) })}
      </span>
      {batch.failed > 0 && (
        <span className={`num ${classes.bad}`}>{say('failedCount', { count: formatInteger(batch.failed) })}</span>
      )}
    </span>
  )
}

/** The same behind the share as a bar. */
export const BatchProgress = ({ batch }: BatchProgressProps) => {
  const say = useBatchMessages()
  return (
    <span className={classes.progress}>
      {batch.total > 0 && (
        <ProgressText text={percentOf(batch)} failed={batch.state === 'failed'} label={say('progress')} />
      )}
      <BatchCounts batch={batch} />
    </span>
  )
}
