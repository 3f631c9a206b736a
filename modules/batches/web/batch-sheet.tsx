import { Button } from '@mantine/core'
import { Facts, FactsHeading } from '#web/components/display/facts.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { CallQuota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Sheet, SheetActions } from '#web/components/sheet.tsx'
import { UserName } from '#web/components/task-log/people.tsx'
import { TaskId } from '#web/components/task-log/task-id.tsx'
import type { ListedBatch } from '#web/lib/api/contract.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import classes from './batches.module.css'
import { useBatchMessages } from './messages.ts'
import { BatchProgress } from './progress.tsx'
import { BatchState, isCancellable } from './states.tsx'
import type { BatchActions } from './use-batch-actions.ts'

interface BatchSheetProps {
  batch: ListedBatch
  actions: BatchActions
  onCancel: () => void
  onClose: () => void
}

const Foot = ({ batch, actions, onCancel }: Omit<BatchSheetProps, 'onClose'>) => {
  const say = useBatchMessages()
  return (
    <SheetActions>
      {batch.files.map((kind) => (
        <Button
          key={kind}
          leftSection={<Icon name="download" size={14} />}
          onClick={() => void actions.save(batch, kind)}
        >
          {say(kind === 'output' ? 'results' : 'errorFile')}
        </Button>
      ))}
      {batch.retries && (
        <Button leftSection={<Icon name="refresh" size={14} />} onClick={() => void actions.retry(batch)}>
          {say('retry')}
        </Button>
      )}
      {isCancellable(batch) && (
        <Button color="red" variant="outline" onClick={onCancel}>
          {say('cancel')}
        </Button>
      )}
    </SheetActions>
  )
}

/** Everything that is known of one batch, and all that can be done with it. */
export const BatchSheet = ({ batch, actions, onCancel, onClose }: BatchSheetProps) => {
  const say = useBatchMessages()
  const time = (at: number) => (at > 0 ? <TimeText at={at} /> : '—')
  const count = (value: number) => <span className="num">{formatInteger(value)}</span>
  const hasActions = batch.files.length > 0 || batch.retries || isCancellable(batch)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('sheetTitle')}
      subtitle={batch.batch_id}
      width={560}
      footer={hasActions && <Foot batch={batch} actions={actions} onCancel={onCancel} />}
    >
      <Facts
        facts={[
          { label: say('state'), value: <BatchState state={batch.state} /> },
          { label: say('progress'), value: <BatchProgress batch={batch} /> },
          { label: say('succeeded'), value: count(batch.succeeded) },
          { label: say('failed'), value: count(batch.failed) },
          batch.skipped > 0 && { label: say('skipped'), value: count(batch.skipped) },
          { label: say(batch.ended_at > 0 ? 'cost' : 'costSoFar'), value: <CallQuota value={batch.quota} /> },
          { label: say('models'), value: batch.models.join(', ') || '—' },
          { label: say('form'), value: say(`form_${batch.form}`) },
          batch.endpoint !== '' && { label: say('endpoint'), value: <code>{batch.endpoint}</code> },
          { label: say('batchId'), value: <TaskId id={batch.batch_id} name={say('batchId')} /> },
          batch.username !== undefined && {
            label: say('user'),
            value: <UserName id={batch.user_id} name={batch.username} />,
          },
          { label: say('created'), value: time(batch.created_at) },
          { label: say('started'), value: time(batch.started_at) },
          batch.ended_at > 0
            ? { label: say('ended'), value: time(batch.ended_at) }
            : { label: say('expires'), value: time(batch.expires_at) },
        ]}
      />
      {batch.errors.length > 0 && (
        <>
          <FactsHeading>{say('errors')}</FactsHeading>
          <ul className={classes.errors}>
            {batch.errors.map(({ code, line, message }) => (
              <li key={`${line} ${code} ${message}`}>
                {line !== null && <span className="num muted">{say('inLine', { line: formatInteger(line) })} · </span>}
                <code>{code}</code> {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </Sheet>
  )
}
