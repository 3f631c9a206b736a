import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EndBadge } from '#web/components/display/status-badge.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { EmptyState, ErrorState } from '#web/components/states.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useRouteMessages } from './messages.ts'
import classes from './routes.module.css'

/** The models of this site that end, the first one first, and what answers in their place. */
export const ModelCalendar = () => {
  const say = useRouteMessages()
  const cards = useEndpoint(calls.listModelCards)
  if (cards.error && !cards.data) return <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />
  if (cards.data === undefined) return <Skeleton h={200} />
  const ending = cards.data
    .filter(({ retires }) => retires !== '')
    .toSorted((left, right) => left.retires.localeCompare(right.retires) || left.model.localeCompare(right.model))
  return (
    <section className={`panel ${classes.explain}`}>
      <p className="faint">
        {say('calendarText')}{' '}
        <Link to="/setting/$section" params={{ section: 'groups' }} search={{ field: 'ModelEndDates' }}>
          {say('calendarSettings')}
        </Link>
      </p>
      {ending.length === 0 ? (
        <EmptyState icon="document" title={say('calendarEmpty')} />
      ) : (
        <ScrollFrame label={say('calendarTab')} className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>{say('model')}</th>
                <th>{say('calendarDay')}</th>
                <th>{say('calendarReplaced')}</th>
                <th>{say('state')}</th>
              </tr>
            </thead>
            <tbody>
              {ending.map(({ model, retires, replaced_by: replacedBy }) => (
                <tr key={model}>
                  <td className="mono">
                    <Link to="/pricing/model/$" params={{ _splat: model }}>
                      {model}
                    </Link>
                  </td>
                  <td className="num">{retires}</td>
                  <td className="mono">{replacedBy || '—'}</td>
                  <td>
                    <EndBadge day={retires} replacedBy={replacedBy} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </section>
  )
}
