import { Link } from '@tanstack/react-router'
import { FineRows } from '../../../components/display/fine-rows.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { UnpricedModels } from '../../../components/unpriced/unpriced-models.tsx'
import { useUnpriced } from '../../../components/unpriced/use-unpriced.ts'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import { rangeOf } from '../../../components/usage/scope.ts'
import usage from '../../../components/usage/usage.module.css'
import { type Channel, logType } from '../../../lib/api/contract.ts'
import { formatInteger, formatPercent } from '../../../lib/text/format.ts'
import classes from './channel-page.module.css'
import type { DayFigures } from './day-figures.ts'
import { useChannelPageMessages } from './messages.ts'

const errorClasses = [
  'auth',
  'quota',
  'rate_limited',
  'timeout',
  'server_error',
  'invalid',
  'cancelled',
  'other',
] as const

/** Failed calls of the last day by class, with its cause. */
export const Errors = ({ channel, day: { byStatus } }: { channel: Channel; day: DayFigures }) => {
  const say = useChannelPageMessages()
  const { data, error } = byStatus
  const counts = new Map((data?.rows ?? []).map(({ key, calls }) => [key, calls]))
  const failed = errorClasses.filter((name) => (counts.get(name) ?? 0) > 0)
  const search = { channel: String(channel.id), type: String(logType.error), range: data ? rangeOf(data) : '24h' }
  return (
    <UsagePanel title={say('errors')} note={say('lastDay')}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void byStatus.refetch()} />
      ) : failed.length === 0 ? (
        data && <EmptyState icon="check" title={say('noErrors')} />
      ) : (
        <table className={usage.table}>
          <thead>
            <tr>
              <th>{say('errorClass')}</th>
              <th>{say('errorText')}</th>
              <th className={usage.number}>{say('count')}</th>
              <th>
                <span className="visually-hidden">{say('toLog')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {failed.map((name) => (
              <tr key={name}>
                <td className="strong">{say(name)}</td>
                <td className="muted">{say(`${name}Text`)}</td>
                <td className={`num ${usage.number}`}>{formatInteger(counts.get(name) ?? 0)}</td>
                <td className={usage.number}>
                  <Link to="/log" search={search}>
                    {say('toLog')}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </UsagePanel>
  )
}

/** Revenue and upstream cost of the last day by model, and the models without a price. */
export const Prices = ({ channel, day: { spend, cost } }: { channel: Channel; day: DayFigures }) => {
  const say = useChannelPageMessages()
  const unpriced = useUnpriced(channel.models.split(',').filter(Boolean)) ?? []
  const { data, error } = spend
  const costs = new Map((cost.data?.rows ?? []).map(({ key, value }) => [key, value]))
  const rows = [
    ...(data?.rows ?? []).map((row) => ({ ...row, cost: costs.get(row.key) ?? null, isTotal: false })),
    ...(data
      ? [
          {
            ...data.total,
            key: ' total',
            name: say('total'),
            rest: false,
            cost: cost.data?.total.value ?? null,
            isTotal: true,
          },
        ]
      : []),
  ]
  const margin = (revenue: number | null, upstream: number | null): string =>
    revenue && upstream !== null ? formatPercent((revenue - upstream) / revenue) : '—'
  return (
    <UsagePanel title={say('prices')} note={say('lastDay')}>
      {unpriced.length > 0 && (
        <div className={classes.inset}>
          <UnpricedModels models={unpriced} />
        </div>
      )}
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void spend.refetch()} />
      ) : data?.rows.length === 0 ? (
        <EmptyState icon="chart" title={say('noTraffic')} />
      ) : (
        <ScrollFrame label={say('model')} className={usage.scroll}>
          <table className={usage.table}>
            <thead>
              <tr>
                <th>{say('model')}</th>
                <th className={usage.number}>{say('calls')}</th>
                <th className={usage.number}>{say('revenue')}</th>
                <th className={usage.number}>{say('cost')}</th>
                <th className={usage.number}>{say('marginShare')}</th>
              </tr>
            </thead>
            <FineRows amounts={rows.flatMap(({ value, cost: paid }) => [value, paid])}>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.key} className={row.isTotal ? 'strong' : undefined}>
                    <td>
                      {row.isTotal || row.rest ? (
                        row.isTotal ? (
                          row.name
                        ) : (
                          say('more')
                        )
                      ) : (
                        <span className={usage.named}>
                          <Logo of={{ model: row.name }} name={row.name} />
                          <span className="mono">{row.name}</span>
                        </span>
                      )}
                    </td>
                    <td className={`num ${usage.number}`}>{formatInteger(row.calls)}</td>
                    <td className={usage.number}>{row.value === null ? '—' : <Quota value={row.value} />}</td>
                    <td className={usage.number}>{row.cost === null ? '—' : <Quota value={row.cost} />}</td>
                    <td className={`num ${usage.number}`}>{margin(row.value, row.cost)}</td>
                  </tr>
                ))}
              </tbody>
            </FineRows>
          </table>
        </ScrollFrame>
      )}
    </UsagePanel>
  )
}
