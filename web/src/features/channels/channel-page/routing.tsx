import { NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import usage from '../../../components/usage/usage.module.css'
import { type Channel, calls, type RoutingRow } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatPercent } from '../../../lib/text/format.ts'
import { formatClock } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import classes from './channel-page.module.css'
import { useChannelPageMessages } from './messages.ts'

const refreshEveryMs = 15_000
const tones = { closed: 'good', open: 'bad', trial: 'info', resting: 'warn' } as const

/** Why this channel or another one: the candidates of a model in a group, and why each is or is not used. */
export const Routing = ({ channel }: { channel: Channel }) => {
  const say = useChannelPageMessages()
  const zone = useTimeZone()
  const [search, setSearch] = useSearchParams()
  const models = channel.models.split(',').filter(Boolean)
  const groups = channel.group.split(',').filter(Boolean)
  const model = search.model && models.includes(search.model) ? search.model : (models[0] ?? '')
  const group = search.group && groups.includes(search.group) ? search.group : (groups[0] ?? 'default')
  const rows = useEndpoint(
    calls.explainRouting,
    { query: { model, group } },
    { enabled: model !== '', refreshEveryMs, staleTimeMs: 0 },
  )
  const resultOf = ({ reason, share, until }: RoutingRow): string => {
    if (reason === 'chosen') return say(share === 1 ? 'chosen' : 'maybe')
    if (reason === 'group') return say('notInGroup', { group })
    if (reason === 'cooling_down' && until > 0) return say('cooling_until', { time: formatClock(until, zone) })
    return say(reason)
  }
  return (
    <UsagePanel title={say('routing')} note={say('routingText')}>
      <div className={classes.choices}>
        <NativeSelect
          aria-label={say('model')}
          data={models}
          value={model}
          onChange={(event) => setSearch({ model: event.currentTarget.value }, { replace: true })}
        />
        <NativeSelect
          aria-label={say('group')}
          data={groups}
          value={group}
          onChange={(event) => setSearch({ group: event.currentTarget.value }, { replace: true })}
        />
      </div>
      {rows.error && !rows.data ? (
        <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
      ) : rows.data?.length === 0 || model === '' ? (
        <EmptyState icon="channels" title={say('noCandidate')} />
      ) : (
        <ScrollFrame label={say('candidate')} className={usage.scroll}>
          <table className={usage.table}>
            <thead>
              <tr>
                <th>{say('candidate')}</th>
                <th className={usage.number}>{say('priorityHead')}</th>
                <th className={usage.number}>{say('weightHead')}</th>
                <th>{say('state')}</th>
                <th className={usage.number}>{say('chance')}</th>
                <th>{say('result')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.data?.map((row) => (
                <tr key={row.id} className={row.id === channel.id ? classes.own : undefined}>
                  <td>
                    <span className={usage.named}>
                      <Logo of={{ type: row.type }} name={row.name} />
                      <Link to="/channel/$id" params={{ id: String(row.id) }}>
                        {row.name}
                      </Link>
                    </span>
                  </td>
                  <td className={`num ${usage.number}`}>{row.priority}</td>
                  <td className={`num ${usage.number}`}>{row.weight}</td>
                  <td>
                    <StatusBadge tone={tones[row.state]} label={say(row.state)} />
                  </td>
                  <td className={`num ${usage.number}`}>{row.share > 0 ? formatPercent(row.share) : '—'}</td>
                  <td className={row.reason === 'chosen' ? 'strong' : 'muted'}>{resultOf(row)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </UsagePanel>
  )
}
