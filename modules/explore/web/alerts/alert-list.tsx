import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type ExploreAlert } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { mostAlerts } from '../../contract/alert-rules.ts'
import { AlertForm } from './alert-form.tsx'
import { AlertRow } from './alert-row.tsx'
import classes from './alerts.module.css'
import { useAlertMessages } from './messages.ts'

/** One's own alerts: their states, on or off, changed where they stand. */
export const AlertList = (props: {
  questionText: (alert: ExploreAlert) => string
  /** The chart of an alert was opened. */
  onShown: () => void
}) => {
  const say = useAlertMessages()
  const { data, error, refetch } = useEndpoint(calls.listAlerts, {}, { refreshEveryMs: 60_000 })
  const [removed, setRemoved] = useState<ExploreAlert>()
  const [edited, setEdited] = useState<number>()
  const remove = useAction(calls.deleteAlert, {
    refresh: [calls.listAlerts],
    done: say('alertRemoved', { name: removed?.name ?? '' }),
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton h={120} radius={8} />
  return (
    <section aria-label={say('alerts')}>
      <h3 className={classes.heading}>{say('myAlerts', { count: data.length, most: mostAlerts })}</h3>
      {data.length === 0 ? (
        <p className={classes.question}>{say('noAlerts')}</p>
      ) : (
        <ul className={classes.list}>
          {data.map((alert) =>
            alert.id === edited ? (
              <li key={alert.id} className={classes.edited}>
                <AlertForm
                  question={alert}
                  text={props.questionText(alert)}
                  alert={alert}
                  onDone={() => setEdited(undefined)}
                  onCancel={() => setEdited(undefined)}
                />
              </li>
            ) : (
              <AlertRow
                key={alert.id}
                alert={alert}
                onEdit={() => setEdited(alert.id)}
                onRemove={() => setRemoved(alert)}
                onShown={props.onShown}
              />
            ),
          )}
        </ul>
      )}
      <ConfirmAction
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={say('removeNamed', { name: removed?.name ?? '' })}
        effect={say('removeEffect')}
        confirmLabel={say('removeAlert')}
        danger
        onConfirm={() => removed && remove.submit({ params: { id: removed.id } })}
      />
    </section>
  )
}
