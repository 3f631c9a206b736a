import { Button, Skeleton } from '@mantine/core'
import { useMomentText } from '#web/components/display/time/time-text.tsx'
import { useHeld } from '#web/components/form/held.ts'
import { ErrorState } from '#web/components/states.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import classes from './inspector.module.css'
import { useInspectorMessages } from './messages.ts'

const refreshMs = 5_000

/** The inspections that run now. */
export const Running = () => {
  const say = useInspectorMessages()
  const moment = useMomentText()
  const inspections = useEndpoint(calls.listInspections, {}, { refreshEveryMs: refreshMs })
  const held = useHeld()
  const stop = useAction(calls.stopInspection, { refresh: [calls.listInspections] })
  const running = inspections.data?.filter((inspection) => inspection.running) ?? []
  if (inspections.error && inspections.data === undefined)
    return <ErrorState error={inspections.error} onRetry={() => void inspections.refetch()} />
  return (
    <section className={`panel ${classes.running}`} aria-label={say('running')}>
      <h2>{say('running')}</h2>
      {inspections.data === undefined ? (
        <Skeleton h={16} w="40%" />
      ) : running.length === 0 ? (
        <p className={classes.note}>{say('nothingRuns')}</p>
      ) : (
        running.map(({ id, kind, target_id, target_name, ends_time, started_name, reason, captures }) => (
          <div key={id} className={classes.inspection}>
            <span>
              {say(`kind_${kind}`)} {target_name} <span className="num">#{target_id}</span>
            </span>
            <span>{say('until', { time: moment(ends_time, true) })}</span>
            <span>{say('by', { name: started_name })}</span>
            <span>{say('captured', { count: formatInteger(captures) })}</span>
            {reason !== '' && <span className={classes.note}>{reason}</span>}
            <Button
              size="compact-sm"
              loading={stop.busy}
              aria-label={`${say('stop')} ${target_name}`}
              onClick={() => void stop.run({ params: { id } })}
              {...held}
            >
              {say('stop')}
            </Button>
          </div>
        ))
      )}
    </section>
  )
}
