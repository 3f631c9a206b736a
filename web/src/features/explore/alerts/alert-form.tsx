import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { alertComparisons, alertWindows, exploreMetrics, longestAlertName } from '@tollgate/contract/records/explore'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../components/form/failure.tsx'
import {
  type AlertComparison,
  type AlertWindow,
  calls,
  type ExploreAnswer,
  type ExploreUnit,
} from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useStatus } from '../../../lib/status.ts'
import type { ExploreView } from '../view.ts'
import classes from './alerts.module.css'
import { useAlertMessages } from './messages.ts'
import { storedThreshold, suggested, typedUnit } from './threshold.ts'

type SayAlerts = ReturnType<typeof useAlertMessages>

const unitName = (unit: ExploreUnit, inMoney: boolean, say: SayAlerts): string => {
  if (unit === 'quota') return say(inMoney ? 'unitMoney' : 'unitQuota')
  if (unit === 'share') return '%'
  if (unit === 'ms') return say('unitSeconds')
  return unit === 'speed' ? say('unitSpeed') : ''
}

/** Makes an alert of the chart that is shown. */
export const AlertForm = (props: {
  view: ExploreView
  /** The chart's question in words. */
  question: string
  report: ExploreAnswer | undefined
}) => {
  const say = useAlertMessages()
  const status = useStatus()
  const { view, report } = props
  const { metric } = view
  const inMoney = status.display_in_currency
  const size = typedUnit(metric, inMoney ? status.quota_per_unit : 1)
  const [name, setName] = useState(props.question.slice(0, longestAlertName))
  const [comparison, setComparison] = useState<AlertComparison>('above')
  const [hours, setHours] = useState<AlertWindow>(24)
  /** undefined while the suggestion stands. */
  const [typed, setTyped] = useState<number | ''>()
  const threshold = typed ?? suggested(report, metric, { comparison, hours, size })
  const create = useAction(calls.createAlert, {
    refresh: [calls.listAlerts],
    done: (alert) => say('alertAdded', { name: alert.name }),
  })
  const unit = unitName(exploreMetrics[metric].unit, inMoney, say)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (threshold === '' || name.trim() === '') return
    const body = {
      ...{ name, metric, filters: [...view.filters], mine: view.mine, comparison },
      threshold: storedThreshold(threshold, size),
      window_hours: hours,
    }
    void create.submit({ body }).catch(() => undefined)
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label={say('newAlert')}>
      <p className={classes.question}>{say('alertQuestion', { question: props.question })}</p>
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
      <div className={classes.submit}>
        {create.error && <Failure error={create.error} />}
        <Button type="submit" variant="filled" loading={create.busy} disabled={threshold === '' || name.trim() === ''}>
          {say('addAlert')}
        </Button>
      </div>
    </form>
  )
}
