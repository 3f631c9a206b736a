import { Link } from '@tanstack/react-router'
import { changeLinesOf, sentenceOf, useAuditWords } from '#web/components/audit/sentence.ts'
import type { ChartMark } from '#web/components/chart/chart-marks.ts'
import { useShortMomentText } from '#web/components/display/time/time-text.tsx'
import { type AuditEntry, calls, type FigureReport, type SiteEvent } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import classes from './explore.module.css'
import { useExploreMessages } from './messages.ts'

const mostShown = 6

/** An event and the point of the chart at which it happened. */
export interface ShownEvent extends ChartMark {
  readonly event: SiteEvent
}

/** The entry of the audit log that an event is. */
const entryOf = ({ id, at, actor, name, entry }: SiteEvent): AuditEntry => ({
  ...entry,
  id,
  created_at: at,
  actor_name: actor,
  ip: '',
  ...(entry.object === 'channel' && name !== '' ? { object_name: name } : {}),
})

const isBad = ({ kind }: SiteEvent): boolean => kind === 'channel_auto_disabled'

/** Events within the time of a report, the newest that fit; none for users. `all` is undefined while they are loading. */
export const useExploreEvents = (report: FigureReport | undefined, forOperators: boolean) => {
  const { data = [], isPending } = useEndpoint(
    calls.exploreEvents,
    { query: { start_timestamp: report?.from ?? 0, end_timestamp: report?.to ?? 0 } },
    { enabled: forOperators && report !== undefined },
  )
  if (report === undefined || !forOperators) return { events: [], all: undefined }
  const within = data.filter(({ at }) => at >= report.from && at < report.to)
  // Failures explain more than changes do, so they are chosen first.
  const chosen = new Set(
    [...within.filter(isBad), ...within.filter((event) => !isBad(event)).reverse()].slice(0, mostShown),
  )
  const events = within
    .filter((event) => chosen.has(event))
    .map((event, index): ShownEvent => {
      const point = report.buckets.findLastIndex((start) => start <= event.at)
      return { event, index: Math.max(0, point), number: index + 1, bad: isBad(event) }
    })
  return { events, all: isPending ? undefined : within.length }
}

/**
 * Events by the numbers above the chart; each links to its entry of the audit log. Reserves its height while loading, so that the table
 * below does not move.
 */
export const EventList = ({ events, all }: { events: readonly ShownEvent[]; all: number | undefined }) => {
  const say = useExploreMessages()
  const words = useAuditWords()
  const moment = useShortMomentText()
  return (
    <ol className={classes.events}>
      {events.map(({ event, number, bad }) => (
        <li key={event.id} data-bad={bad || undefined}>
          <b className="strong num">{number}</b>
          <Link to="/audit" search={{ id: String(event.id) } as never} title={event.detail || undefined}>
            <span className="num">{moment(event.at)}</span> {sentenceOf(entryOf(event), words)}
            {changeLinesOf(entryOf(event), words).map((line) => (
              <span key={line} className="muted">
                {' · '}
                {line}
              </span>
            ))}
          </Link>
        </li>
      ))}
      {all === 0 && <li className="muted">{say('noEvents')}</li>}
      {all !== undefined && all > events.length && (
        <li className="muted">{say('moreEvents', { count: all - events.length })}</li>
      )}
    </ol>
  )
}
