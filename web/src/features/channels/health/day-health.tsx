import { Link } from '@tanstack/react-router'
import { Figures } from '../../../components/display/figures.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { type ChannelHealth, healthKinds, type ModelHealth } from '../../../lib/api/contract.ts'
import { formatDuration, formatInteger } from '../../../lib/text/format.ts'
import { refusalText } from '../../../lib/text/refusal-text.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import classes from './day-health.module.css'
import cells from './health.module.css'
import { healthText, p95Text, rateText, rateTone, routeState } from './health.ts'
import { useHealthMessages } from './health-messages.ts'
import { Sparkline } from './sparkline.tsx'

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
          {refusalText(health.last_error, health)} · <TimeText at={health.last_error_time} relative />
        </p>
      )}
    </li>
  )
}

/** The last day of a channel: figures, calls by half hour, how they ended, and the last error. */
export const DayHealth = ({ health }: { health: ChannelHealth }) => {
  const say = useHealthMessages()
  const tone = rateTone(health.success_rate)
  return (
    <section className={`panel ${classes.panel}`} aria-label={say('column')}>
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
          {refusalText(health.last_error, health)}
        </p>
      )}
    </section>
  )
}

const hasNews = ({ calls: count, kinds, state }: ModelHealth): boolean =>
  count > 0 || state !== 'closed' || (kinds.other ?? 0) > 0

/** The models of a channel: those that cool down first, then the busiest; those without calls by name only. */
export const ModelsHealth = ({ channelId, models }: { channelId: number; models: readonly ModelHealth[] }) => {
  const say = useHealthMessages()
  const isCooling = ({ state }: ModelHealth): number => (state === 'closed' ? 0 : 1)
  const all = models.toSorted(
    (a, b) => isCooling(b) - isCooling(a) || b.calls - a.calls || a.model.localeCompare(b.model),
  )
  const [loud, quiet] = [all.filter(hasNews), all.filter((model) => !hasNews(model))]
  if (all.length === 0) return null
  return (
    <section className={`panel ${classes.panel}`} aria-label={say('models')}>
      <h3 className={classes.heading}>{say('models')}</h3>
      {loud.length > 0 && (
        <ul className={classes.models}>
          {loud.map((model) => (
            <Model key={model.model} health={model} channelId={channelId} />
          ))}
        </ul>
      )}
      {quiet.length > 0 && (
        <details className={classes.quiet}>
          <summary>{say(loud.length > 0 ? 'quietModels' : 'quietAll', { count: quiet.length })}</summary>
          <p className="mono">{quiet.map(({ model }) => model).join(', ')}</p>
        </details>
      )}
    </section>
  )
}
