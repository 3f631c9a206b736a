import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { figureMetrics } from '@tollgate/contract/records/figures'
import { type FormEvent, useState } from 'react'
import { Failure } from '#web/components/form/failure.tsx'
import {
  type AlertComparison,
  type AlertWindow,
  calls,
  type ExploreAlert,
  type FigureReport,
  type FigureUnit,
} from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { alertComparisons, alertWindows, longestAlertName } from '../../contract/alert-rules.ts'
import classes from './alerts.module.css'
import { useAlertMessages } from './messages.ts'
import { storedThreshold, suggested, typedThreshold, typedUnit } from './threshold.ts'

type SayAlerts = ReturnType<typeof useAlertMessages>

const unitName = (unit: FigureUnit, inMoney: boolean, say: SayAlerts): string => {
  if (unit === 'quota') return say(inMoney ? 'unitMoney' : 'unitQuota')
  if (unit === 'share') return '%'
  if (unit === 'ms') return say('unitSeconds')
  return unit === 'speed' ? say('unitSpeed') : ''
}

/** Creates or changes an alert, and says so. */
const useSave = (alert: ExploreAlert | undefined, onDone: () => void) => {
  const say = useAlertMessages()
  const after = { refresh: [calls.listAlerts], onDone }
  const create = useAction(calls.createAlert, { ...after, done: (made) => say('alertAdded', { name: made.name }) })
  const update = useAction(calls.updateAlert, { ...after, done: (made) => say('alertSaved', { name: made.name }) })
  return {
    busy: create.busy || update.busy,
    error: create.error ?? update.error,
    save: (body: Omit<ExploreAlert, 'id' | 'over_since' | 'last_value' | 'checked_time' | 'noticed_time'>) =>
      alert === undefined ? create.submit({ body }) : update.submit({ params: { id: alert.id }, body }),
  }
}

/** The fields of an alert: of a new one on what a chart asks, or of one that is there. */
export const AlertForm = (props: {
  question: Pick<ExploreAlert, 'metric' | 'filters' | 'mine'>
  /** The question in words. */
  text: string
  /** The alert that is changed; undefined for a new one. */
  alert?: ExploreAlert
  /** Suggests a threshold. */
  report?: FigureReport | undefined
  onDone: () => void
  onCancel: () => void
}) => {
  const say = useAlertMessages()
  const status = useStatus()
  const { alert, report } = props
  const { metric, filters, mine } = props.question
  const inMoney = status.display_in_currency
  const size = typedUnit(metric, inMoney ? status.quota_per_unit : 1)
  const [name, setName] = useState(alert?.name ?? props.text.slice(0, longestAlertName))
  const [comparison, setComparison] = useState<AlertComparison>(alert?.comparison ?? 'above')
  const [hours, setHours] = useState<AlertWindow>(alert?.window_hours ?? 24)
  /** undefined while the suggestion stands. */
  const [typed, setTyped] = useState<number | '' | undefined>(alert && typedThreshold(alert.threshold, size))
  const threshold = typed ?? suggested(report, metric, { comparison, hours, size })
  const { busy, error, save } = useSave(alert, props.onDone)
  const unit = unitName(figureMetrics[metric].unit, inMoney, say)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (threshold === '' || name.trim() === '') return
    const body = {
      name,
      metric,
      filters: [...filters],
      mine,
      comparison,
      threshold: storedThreshold(threshold, size),
      window_hours: hours,
      enabled: alert?.enabled ?? true,
    }
    void save(body).catch(() => undefined)
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label={say(alert ? 'editAlert' : 'newAlert')}>
      <p className={classes.question}>{alert ? props.text : say('alertQuestion', { question: props.text })}</p>
      <TextInput
        className={classes.wide}
        label={say('alertName')}
        maxLength={longestAlertName}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label={say('comparison')}
        value={comparison}
        data={alertComparisons.map((value) => ({ value, label: say(value) }))}
        onChange={(event) =>
          setComparison(alertComparisons.find((one) => one === event.currentTarget.value) ?? 'above')
        }
      />
      <NumberInput
        label={unit === '' ? say('threshold') : say('thresholdIn', { unit })}
        value={threshold}
        allowNegative={metric === 'margin'}
        thousandSeparator=","
        maxLength={16}
        classNames={{ input: 'num' }}
        error={typed === '' ? say('thresholdNeeded') : undefined}
        onChange={(value) => setTyped(typeof value === 'number' ? value : value === '' ? '' : Number(value))}
      />
      <NativeSelect
        label={say('window')}
        value={String(hours)}
        data={alertWindows.map((value) => ({ value: String(value), label: say(`window_${value}`) }))}
        onChange={(event) => setHours(alertWindows.find((one) => String(one) === event.currentTarget.value) ?? 24)}
      />
      {error && (
        <div className={classes.wide}>
          <Failure error={error} />
        </div>
      )}
      <div className={classes.submit}>
        <Button onClick={props.onCancel}>{say('cancel')}</Button>
        <Button type="submit" variant="filled" loading={busy} disabled={threshold === '' || name.trim() === ''}>
          {say(alert ? 'saveAlert' : 'addAlert')}
        </Button>
      </div>
    </form>
  )
}
