import { Link } from '@tanstack/react-router'
import { changeLinesOf, entryText, sentenceOf, useAuditWords } from '../../../components/audit/sentence.ts'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import classes from './channel-page.module.css'
import { useChannelPageMessages } from './messages.ts'

const shown = 10

/** The newest changes of a channel and what was done with it. */
export const History = ({ channelId }: { channelId: number }) => {
  const say = useChannelPageMessages()
  const words = useAuditWords()
  const about = { object: 'channel', object_id: String(channelId) }
  const entries = useEndpoint(calls.listAudit, { query: { ...about, page_size: shown } }, { staleTimeMs: 0 })
  const { data, error } = entries
  return (
    <UsagePanel
      title={say('history')}
      note={
        <Link to="/audit" search={{ ...about, range: 'all' }}>
          {say('allHistory')}
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void entries.refetch()} />
      ) : data?.items.length === 0 ? (
        <EmptyState icon="history" title={say('noHistory')} />
      ) : (
        <ul className={classes.history}>
          {data?.items.map((entry) => (
            <li key={entry.id}>
              <TimeText at={entry.created_at} brief />
              <span className={classes.change} title={entryText(entry, words)}>
                <strong className="strong">{sentenceOf(entry, words)}</strong> {changeLinesOf(entry, words).join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </UsagePanel>
  )
}
