import { Link } from '@tanstack/react-router'
import { changeLinesOf, entryText, sentenceOf, useAuditWords } from '../../../components/audit/sentence.ts'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import { type AuditEntry, calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useTokenPageMessages } from './messages.ts'
import classes from './token-page.module.css'

const shown = 20

const Entries = ({ entries }: { entries: readonly AuditEntry[] }) => {
  const words = useAuditWords()
  return (
    <ul className={classes.history}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <TimeText at={entry.created_at} brief />
          <span className={classes.change} title={entryText(entry, words)}>
            <strong className="strong">{sentenceOf(entry, words)}</strong> {changeLinesOf(entry, words).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Changes of the key, and the times when it was shown; `owner` is set for another user's key. */
export const History = ({ id, owner }: { id: number; owner: number | undefined }) => {
  const say = useTokenPageMessages()
  const about = { object: 'token', object_id: String(id) }
  const own = useEndpoint(calls.tokenHistory, { params: { id } }, { enabled: owner === undefined, staleTimeMs: 0 })
  const others = useEndpoint(
    calls.listAudit,
    { query: { ...about, page_size: shown } as never },
    { enabled: owner !== undefined, staleTimeMs: 0 },
  )
  const entries = owner === undefined ? own.data : others.data?.items
  const error = owner === undefined ? own.error : others.error
  return (
    <UsagePanel
      title={say('history')}
      {...(owner === undefined
        ? {}
        : {
            note: (
              <Link to="/audit" search={{ ...about, range: 'all' }}>
                {say('historyAll')}
              </Link>
            ),
          })}
    >
      {error && !entries ? (
        <ErrorState error={error} onRetry={() => void (owner === undefined ? own : others).refetch()} />
      ) : entries?.length === 0 ? (
        <EmptyState icon="history" title={say('noHistory')} />
      ) : (
        entries && <Entries entries={entries} />
      )}
    </UsagePanel>
  )
}
