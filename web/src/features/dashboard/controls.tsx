import { SegmentedControl } from '@mantine/core'
import { Icon } from '../../components/display/icon.tsx'
import { RangeFilter } from '../../components/display/time/range-filter.tsx'
import {
  granularities,
  ownUsageDimensions,
  ownUsageMetrics,
  type UsageMetric,
  type UsageReport,
  usageDimensions,
  usageMetrics,
} from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import type { SetSearch } from '../../lib/url/search-params.ts'
import classes from './dashboard.module.css'
import { useDashboardMessages } from './messages.ts'
import { type DashboardView, dashboardRanges, defaultRangeOf, narrowings } from './view.ts'

const Choice = <T extends string>(props: {
  label: string
  value: T
  values: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}) => (
  <SegmentedControl
    size="xs"
    aria-label={props.label}
    value={props.value}
    onChange={(value) => props.onChange(value as T)}
    data={[...props.values]}
  />
)

/** `cost` is what users pay in other places of this page. */
const metricNames = {
  quota: 'quota',
  cost: 'upstreamCost',
  margin: 'margin',
  count: 'count',
  tokens: 'tokens',
} as const satisfies Record<UsageMetric, string>

/** The dashboard's controls: range, granularity, figure, dimension and filters. */
export const Controls = (props: {
  view: DashboardView
  isAdmin: boolean
  report: UsageReport | undefined
  setSearch: SetSearch
}) => {
  const say = useDashboardMessages()
  const { data_export_default_time: defaultTime } = useStatus()
  const { view, setSearch } = props
  const dimensions = view.mine ? ownUsageDimensions : usageDimensions
  const nameOfOnly = (name: (typeof narrowings)[number]): string => {
    const key = view.only[name] ?? ''
    if (name === 'model' || name === 'group') return key
    return (view.by === name ? props.report?.top.find((row) => row.key === key)?.name : undefined) || `#${key}`
  }
  const worded = <T extends Parameters<typeof say>[0]>(values: readonly T[]) =>
    values.map((value) => ({ value, label: say(value) }))
  return (
    <div className={classes.controls}>
      <RangeFilter
        value={view.range}
        fallback={defaultRangeOf(defaultTime)}
        names={dashboardRanges}
        onChange={(range) => setSearch({ range })}
      />
      <Choice
        label={say('granularity')}
        value={view.granularity}
        values={worded(granularities)}
        onChange={(granularity) => setSearch({ granularity })}
      />
      <Choice
        label={say('metric')}
        value={view.metric}
        values={(view.mine ? ownUsageMetrics : usageMetrics).map((metric) => ({
          value: metric,
          label: say(metricNames[metric]),
        }))}
        onChange={(metric) => setSearch({ metric })}
      />
      <Choice
        label={say('by')}
        value={view.by}
        values={worded(dimensions as typeof usageDimensions)}
        onChange={(by) => setSearch({ by })}
      />
      {props.isAdmin && (
        <Choice
          label={say('scope')}
          value={view.mine ? 'mine' : 'everybody'}
          values={[
            { value: 'everybody', label: say('everybody') },
            { value: 'mine', label: say('mine') },
          ]}
          onChange={(scope) => setSearch({ mine: scope === 'mine' ? '1' : undefined })}
        />
      )}
      {narrowings.flatMap((name) =>
        view.only[name] === undefined
          ? []
          : [
              <button
                key={name}
                type="button"
                className={classes.only}
                aria-label={say('removeOnly', { name: nameOfOnly(name) })}
                onClick={() => setSearch({ [name]: undefined })}
              >
                {say(`only_${name}`, { name: nameOfOnly(name) })}
                <Icon name="close" size={12} />
              </button>,
            ],
      )}
    </div>
  )
}
