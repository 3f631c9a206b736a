import { ActionIcon, Skeleton, Switch } from '@mantine/core'
import { mostAlerts } from '@tollgate/contract/records/explore'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { StatusBadge, type Tone } from '../../../components/display/status-badge.tsx'
import { useMomentText } from '../../../components/display/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type ExploreAlert, role } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useFigureText } from '../figure-text.ts'
import { useExploreMessages } from '../messages.ts'
import classes from './alerts.module.css'
import { useAlertMessages } from './messages.ts'

const stateOf = ({ enabled, over_since, checked_time }: ExploreAlert): 'off' | 'over' | 'waiting' | 'within' => {
  if (!enabled) return 'off'
  if (over_since > 0) return 'over'
  return checked_time === 0 ? 'waiting' : 'within'
}

const tones = { off: 'neutral', over: 'bad', waiting: 'info', within: 'good' } as const satisfies Record<string, Tone>

const AlertRow = ({ alert, onRemove }: { alert: ExploreAlert; onRemove: () => void }) => {
  const say = useAlertMessages()
  const sayExplore = useExploreMessages()
  const momentText = useMomentText()
  const isAdmin = (useSession()?.role ?? 0) >= role.admin
  const figures = useFigureText(alert.metric)
  const change = useAction(calls.updateAlert, { refresh: [calls.listAlerts] })
  const { id, name, metric, filters, mine, comparison, threshold, window_hours } = alert
  const state = stateOf(alert)
  const plain = say('conditionText', {
    metric: sayExplore(`metric_${metric}`),
    comparison: say(comparison),
    threshold: figures.text(threshold),
    window: say(`window_${window_hours}`),
  })
  const condition = mine && isAdmin ? say('conditionMine', { condition: plain }) : plain
  const value =
    alert.last_value === null ? say('notMeasured') : say('lastValue', { value: figures.text(alert.last_value) })
  return (
    <li className={classes.alert}>
      <div className={classes.facts}>
        <strong className="strong cut">{name}</strong>
        <span>{filters.length === 0 ? condition : say('withFilters', { condition, count: filters.length })}</span>
        <span className={classes.state}>
          <StatusBadge tone={tones[state]} label={say(state)} />
          {state === 'over' && (
            <span>
              {say('since')} {momentText(alert.over_since, true)}
            </span>
          )}
          {alert.checked_time > 0 && <span className="num">{value}</span>}
        </span>
        {state === 'over' && alert.noticed_time < alert.over_since && (
          <span className={classes.warning}>{say('notNoticed')}</span>
        )}
      </div>
      <Switch
        aria-label={say('switchAlert', { name })}
        checked={alert.enabled}
        disabled={change.busy}
        onChange={(event) =>
          void change.run({
            params: { id },
            body: {
              ...{ name, metric, filters, mine, comparison, threshold, window_hours },
              enabled: event.currentTarget.checked,
            },
          })
        }
      />
      <ActionIcon variant="subtle" aria-label={`${say('removeAlert')}: ${name}`} onClick={onRemove}>
        <Icon name="trash" size={16} />
      </ActionIcon>
    </li>
  )
}

/** One's own alerts: their states, on or off. */
export const AlertList = () => {
  const say = useAlertMessages()
  const { data, error, refetch } = useEndpoint(calls.listAlerts, {}, { refreshEveryMs: 60_000 })
  const [removed, setRemoved] = useState<ExploreAlert>()
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
          {data.map((alert) => (
            <AlertRow key={alert.id} alert={alert} onRemove={() => setRemoved(alert)} />
          ))}
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
