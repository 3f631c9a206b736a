import type { AuditEntry } from '../../lib/api/contract.ts'
import type { Column } from '../data-table/columns/column.ts'
import { TimeText } from '../display/time/time-text.tsx'
import classes from './audit.module.css'
import { changeLine, changesOf, changesText } from './changes.ts'
import { actionWord, type SayAudit } from './messages.ts'
import { actorName, objectName } from './names.tsx'

/** Every change in one line; what does not fit is whole on hover and in the entry. */
const Changes = ({ entry }: { entry: AuditEntry }) => (
  <span className={classes.changes}>{changesOf(entry).map(changeLine).join(' · ')}</span>
)

/** Columns of the audit log. */
export const auditColumns = (say: SayAudit): readonly Column<AuditEntry>[] => [
  {
    id: 'created_at',
    header: say('time'),
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
    most: 460,
    cell: (entry) => (changesOf(entry).length === 0 ? null : <Changes entry={entry} />),
    value: changesText,
  },
  {
    id: 'ip',
    header: say('ip'),
    card: 'none',
    filters: (entry) => [{ facet: 'ip', value: entry.ip }],
    cell: (entry) => <span className="mono">{entry.ip}</span>,
    value: (entry) => entry.ip,
  },
]
