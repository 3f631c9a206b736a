import type { Tone } from '../../../components/display/status-badge.tsx'
import type { ChannelHealth, ModelHealth } from '../../../lib/api/contract.ts'
import { formatDuration, formatInteger, formatSuccess } from '../../../lib/text/format.ts'
import { formatClock } from '../../../lib/text/format-time.ts'
import type { SayHealth } from './health-messages.ts'

export const rateText = (rate: number | null): string => (rate === null ? '—' : formatSuccess(rate))

/** An upper bound of the calls' durations, shown as a bound: exact durations are not stored. */
export const p95Text = ({ p95_ms, p95_exceeded }: Pick<ModelHealth, 'p95_ms' | 'p95_exceeded'>): string =>
  p95_ms === null ? '—' : `${p95_exceeded ? '>' : '≤'} ${formatDuration(p95_ms)}`

/** Below 99 % is worth a look, below 90 % is bad. */
export const rateTone = (rate: number | null): 'good' | 'warn' | 'bad' | undefined => {
  if (rate === null || rate >= 0.99) return undefined
  return rate >= 0.9 ? 'warn' : 'bad'
}

export const healthText = (
  health: Pick<ChannelHealth, 'calls' | 'success_rate'> | undefined,
  say: SayHealth,
): string =>
  health && health.calls > 0
    ? say('summary', { calls: formatInteger(health.calls), rate: rateText(health.success_rate) })
    : say('noCalls')

/** The routing state of a model, as text; `zone` formats the moment of the next try. */
export const routeState = (
  { state, until }: Pick<ModelHealth, 'state' | 'until'>,
  say: SayHealth,
  zone: string | undefined,
): { tone: Tone; label: string } => {
  const time = formatClock(until, zone)
  if (state === 'open') return { tone: 'bad', label: say('openState', { time }) }
  if (state === 'trial') return { tone: 'info', label: say('trial') }
  if (state === 'resting') return { tone: 'warn', label: say('resting', { time }) }
  return { tone: 'good', label: say('closed') }
}
