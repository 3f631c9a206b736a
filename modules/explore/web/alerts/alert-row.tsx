import { ActionIcon, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Hint } from '#web/components/display/hint.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import { useMomentText } from '#web/components/display/time/time-text.tsx'
import { calls, type ExploreAlert } from '#web/lib/api/contract.ts'
import { useIsStaff } from '#web/lib/api/staff.ts'
import { useAction } from '#web/lib/query.ts'
import { figureSearch } from '#web/lib/url/figure-link.ts'
import { useFigureText } from '../question/figure-text.ts'
import { useExploreMessages } from '../question/messages.ts'
import classes from './alerts.module.css'
import { useAlertMessages } from './messages.ts'

const stateOf = ({ enabled, over_since, checked_time }: ExploreAlert): 'off' | 'over' | 'waiting' | 'within' => {
  if (!enabled) return 'off'
  if (over_since > 0) return 'over'
  return checked_time === 0 ? 'waiting' : 'within'
}

const tones = { off: 'neutral', over: 'bad', waiting: 'info', within: 'good' } as const satisfies Record<string, Tone>

/** A time in which the chart shows more than the alert looks at. */
const chartRange = { 1: '24h', 6: '24h', 24: '7d', 168: '30d' } as const satisfies Record<
  ExploreAlert['window_hours'],
  string
>

const chartOf = ({ metric, filters, mine, window_hours }: ExploreAlert) => ({
  ...figureSearch({ metric, filters, range: chartRange[window_hours] }),
  ...(mine ? { mine: '1' } : {}),
})

/** An alert in the list: what it looks at, what it found, and what can be done with it. */
export const AlertRow = (props: {
  alert: ExploreAlert
  onEdit: () => void
  onRemove: () => void
  onShown: () => void
}) => {
  const say = useAlertMessages()
  const sayExplore = useExploreMessages()
  const momentText = useMomentText()
  const isAdmin = useIsStaff('logs')
  const { alert } = props
  const figures = useFigureText(alert.metric)
  const change = useAction(calls.updateAlert, { refresh: [calls.listAlerts] })
  const { id, name, metric, filters, mine, comparison, threshold, window_hours } = alert
  const state = stateOf(alert)
  const plain = say('conditionText', {
    metric: sayExplore(`metric_${metric}`),
    comparison: say(comparison),
    threshold: figures.exactText(threshold),
    window: say(`window_${window_hours}`),
  })
  const condition = mine && isAdmin ? say('conditionMine', { condition: plain }) : plain
  const value =
    alert.last_value === null ? say('notMeasured') : say('lastValue', { value: figures.text(alert.last_value) })
  return (
    <li className={classes.alert}>
      <div className={classes.facts}>
        <Hint label={say('showChart')}>
          <Link
            to="/explore"
            search={chartOf(alert) as never}
            className={`strong cut ${classes.name}`}
            onClick={props.onShown}
          >
            {name}
          </Link>
        </Hint>
        <span>{filters.length === 0 ? condition : say('withFilters', { condition, count: filters.length })}</span>
        <span className={classes.state}>
          <StatusBadge tone={tones[state]} label={say(state)} />
          {state === 'over' && (
            <span>
              {say('since')} {momentText(alert.over_since, true)}
            </span>
          )}
          {alert.checked_time > 0 && (
            <span className="num" title={say('checkedAt', { time: momentText(alert.checked_time, true) })}>
              {value}
            </span>
          )}
        </span>
        {state === 'over' && alert.noticed_time < alert.over_since && (
          <span className={classes.warning}>{say('notNoticed')}</span>
        )}
      </div>
      <span className={classes.actions}>
        <Switch
          aria-label={say('switchAlert', { name })}
          checked={alert.enabled}
          disabled={change.busy}
          onChange={(event) =>
            void change.run({
              params: { id },
              body: {
                name,
                metric,
                filters,
                mine,
                comparison,
                threshold,
                window_hours,
                enabled: event.currentTarget.checked,
              },
            })
          }
        />
        <ActionIcon variant="subtle" aria-label={`${say('editAlert')}: ${name}`} onClick={props.onEdit}>
          <Icon name="edit" size={16} />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label={`${say('removeAlert')}: ${name}`} onClick={props.onRemove}>
          <Icon name="trash" size={16} />
        </ActionIcon>
      </span>
    </li>
  )
}
