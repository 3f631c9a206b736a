import type { AuditEntry } from '../../lib/api/contract.ts'
import type { Column } from '../data-table/columns/column.ts'
import { TimeText } from '../display/time-text.tsx'
import classes from './audit.module.css'
import { changeLine, changesOf, changesText } from './changes.ts'
import { actionWord, type SayAudit } from './messages.ts'
import { actorName, objectName } from './names.tsx'

const mostLines = 2

const Changes = ({ entry, say }: { entry: AuditEntry; say: SayAudit }) => {
  const changes = changesOf(entry)
  if (changes.length === 0) return null
  const rest = changes.length - mostLines
  return (
    <span className={classes.changes} title={changesText(entry)}>
      {changes.slice(0, mostLines).map((change) => (
        <span key={change.field}>{changeLine(change)}</span>
      ))}
      {rest > 0 && <small>{say('more', { count: rest })}</small>}
    </span>
  )
}

/** Columns of the audit log. */
export const auditColumns = (say: SayAudit): readonly Column<AuditEntry>[] => [
  {
    id: 'created_at',
    header: say('time'),
    card: 'title',
    cell: (entry) => <TimeText at={entry.created_at} brief />,
    value: (entry) => new Date(entry.created_at * 1000).toISOString(),
  },
  {
    id: 'actor',
    header: say('actor'),
    filters: (entry) => [{ facet: 'actor', value: String(entry.actor_id) }],
    cell: (entry) => <span className={entry.actor_id > 0 ? 'strong' : 'faint'}>{actorName(entry, say)}</span>,
    value: (entry) => entry.actor_name,
  },
  {
    id: 'action',
    header: say('action'),
    card: 'title',
    filters: (entry) => [{ facet: 'action', value: entry.action }],
    cell: (entry) => actionWord(entry.action, say),
    value: (entry) => entry.action,
  },
  {
    id: 'object',
    header: say('object'),
    filters: (entry) => [
      { facet: 'object', value: entry.object },
      { facet: 'object_id', value: entry.object_id },
    ],
    cell: (entry) => <span className="num">{objectName(entry, say)}</span>,
    value: (entry) => `${entry.object} ${entry.object_id}`,
  },
  {
    id: 'changes',
    header: say('changes'),
    width: 260,
    cell: (entry) => <Changes entry={entry} say={say} />,
    value: changesText,
  },
  {
    id: 'ip',
    header: say('ip'),
    filters: (entry) => [{ facet: 'ip', value: entry.ip }],
    cell: (entry) => <span className="mono">{entry.ip}</span>,
    value: (entry) => entry.ip,
  },
]
