import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Figures } from '../../../components/display/figures.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { TimeText, useMomentText } from '../../../components/display/time-text.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { type ChannelHealth, calls, channelStatus, healthKinds, type ModelHealth } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatDuration, formatInteger } from '../../../lib/text/format.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import type { Search } from '../../../lib/url/url-state.ts'
import { useChannelMessages } from '../messages.ts'
import { reasonOf } from '../state.ts'
import cells from './health.module.css'
import { healthText, p95Text, rateText, rateTone, routeState } from './health.ts'
import { useHealthMessages } from './health-messages.ts'
import classes from './health-sheet.module.css'
import { Sparkline } from './sparkline.tsx'

const refreshEveryMs = 10_000

const duration = (ms: number | null): string => (ms === null ? '—' : formatDuration(ms))

const Kinds = ({ kinds }: Pick<ChannelHealth, 'kinds'>) => {
  const say = useHealthMessages()
  const tones = { ok: 'good', slow: 'warn', rate_limited: 'warn', other: 'neutral' } as const
  return (
    <ul className={classes.kinds} aria-label={say('outcomes')}>
      {healthKinds
        .filter((kind) => (kinds[kind] ?? 0) > 0)
        .map((kind) => (
          <li key={kind}>
            <StatusBadge
              tone={kind in tones ? tones[kind as keyof typeof tones] : 'bad'}
              label={`${say(kind)} ${formatInteger(kinds[kind] ?? 0)}`}
            />
          </li>
        ))}
    </ul>
  )
}

const Model = ({ health, channelId }: { health: ModelHealth; channelId: number }) => {
  const say = useHealthMessages()
  const zone = useTimeZone()
  const facts: readonly [string, React.ReactNode][] = [
    [say('calls'), formatInteger(health.calls)],
    [say('successRate'), rateText(health.success_rate)],
    [say('p95'), p95Text(health)],
    [say('firstContent'), duration(health.first_content_ms)],
    [say('cost'), <Quota key="cost" value={health.quota} />],
  ]
  return (
    <li>
      <div className={classes.modelHead}>
        <Link to="/log" search={{ channel: String(channelId), model_name: `"${health.model}"`, range: '24h' } as never}>
          <code className="mono strong">{health.model}</code>
        </Link>
        <StatusBadge {...routeState(health, say, zone)} />
      </div>
      {health.calls > 0 && (
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {health.last_error !== '' && (
        <p className={classes.modelError}>
          {health.last_error} · <TimeText at={health.last_error_time} relative />
        </p>
      )}
    </li>
  )
}

const hasNews = ({ calls: count, kinds, state }: ModelHealth): boolean =>
  count > 0 || state !== 'closed' || (kinds.other ?? 0) > 0

const Overview = ({ health }: { health: ChannelHealth }) => {
  const say = useHealthMessages()
  const tone = rateTone(health.success_rate)
  return (
    <>
      <Figures
        figures={[
          { label: say('calls'), value: formatInteger(health.calls) },
          { label: say('successRate'), value: rateText(health.success_rate), ...(tone ? { tone } : {}) },
          { label: say('p95'), value: p95Text(health) },
          { label: say('firstContent'), value: duration(health.first_content_ms) },
          { label: say('cost'), value: <Quota value={health.quota} /> },
        ]}
      />
      <div className={cells.day}>
        <Sparkline points={health.points} label={healthText(health, say)} height={56} />
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{say('dayAgo')}</span>
        <span>{say('nowLabel')}</span>
      </div>
      <Kinds kinds={health.kinds} />
      {health.last_error !== '' && (
        <p className={classes.error}>
          <small>
            {say('lastError')} · <TimeText at={health.last_error_time} relative />
          </small>
          {health.last_error}
        </p>
      )}
    </>
  )
}

interface HealthSheetProps {
  id: number
  onClose: () => void
  onTest: (id: number) => void
  onEnable: (id: number) => void
}

/** How calls of a channel went in the last day, model by model. */
export const HealthSheet = ({ id, onClose, onTest, onEnable }: HealthSheetProps) => {
  const say = useHealthMessages()
  const sayList = useChannelMessages()
  const moment = useMomentText()
  const navigate = useNavigate()
  const channel = useEndpoint(calls.getChannel, { params: { id } })
  const health = useEndpoint(calls.getChannelHealth, { params: { id } }, { refreshEveryMs, staleTimeMs: 0 })
  // The preview gives way to the form.
  const edit = (): void =>
    void navigate({
      to: '/channel/edit/$id',
      params: { id: String(id) },
      search: ({ health: _, ...kept }: Search) => kept,
      resetScroll: false,
    } as never)
  const data = health.isPlaceholderData ? undefined : health.data
  const shown = channel.data?.id === id ? channel.data : undefined
  const isOff = shown?.status === channelStatus.autoDisabled
  const reason = isOff && shown ? reasonOf(shown) : undefined
  // Those with something to see, the busiest first; the others by name only.
  const all = [...(data?.models ?? [])].sort((a, b) => b.calls - a.calls || a.model.localeCompare(b.model))
  const [models, quiet] = [all.filter(hasNews), all.filter((model) => !hasNews(model))]
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`${say('title')}${shown ? ` · ${shown.name}` : ''}`}
      subtitle={`#${id}`}
      width={640}
      loading={!data && !health.error}
      error={health.error && !data ? health.error : undefined}
      onRetry={() => void health.refetch()}
      footer={
        <div className={classes.actions}>
          <Button variant="subtle" onClick={() => void navigate({ to: '/log', search: { channel: String(id) } })}>
            {say('logs')}
          </Button>
          <Button component={Link} to={`/channel/${id}` as '/channel'}>
            {sayList('openPage')}
          </Button>
          <Button onClick={() => onTest(id)}>{say('retest')}</Button>
          <Button onClick={edit}>{sayList('edit')}</Button>
          {shown && shown.status !== channelStatus.enabled && (
            <Button variant="filled" onClick={() => onEnable(id)}>
              {say('enable')}
            </Button>
          )}
        </div>
      }
    >
      {reason && (
        <p className={classes.error}>{say('disabledReason', { time: moment(reason.time), reason: reason.reason })}</p>
      )}
      {data && data.calls === 0 && data.kinds.other === 0 ? (
        <EmptyState icon="chart" title={say('emptyTitle')} text={say('emptyText')} />
      ) : (
        data && <Overview health={data} />
      )}
      {models.length > 0 && (
        <>
          <h3 className={classes.heading}>{say('models')}</h3>
          <ul className={classes.models}>
            {models.map((model) => (
              <Model key={model.model} health={model} channelId={id} />
            ))}
          </ul>
        </>
      )}
      {quiet.length > 0 && (
        <details className={classes.quiet}>
          <summary>{say(models.length > 0 ? 'quietModels' : 'quietAll', { count: quiet.length })}</summary>
          <p className="mono">{quiet.map(({ model }) => model).join(', ')}</p>
        </details>
      )}
    </Sheet>
  )
}
