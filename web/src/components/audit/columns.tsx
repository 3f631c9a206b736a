import type { AuditEntry } from '../../lib/api/contract.ts'
import type { Column } from '../data-table/columns/column.ts'
import { TimeText } from '../display/time/time-text.tsx'
import classes from './audit.module.css'
import { changesText } from './changes.ts'
import { actionWord } from './messages.ts'
import { actorName, objectName } from './names.tsx'
import { type AuditWords, changeLinesOf, sentenceOf } from './sentence.ts'

/** Every change in one line; the rest of it shows on hover and in the entry. */
const Changes = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? null : <span className={classes.changes}>{lines.join(' · ')}</span>

/** Columns of the audit log: a sentence, and what changed from → to. Actor, action and object alone can be chosen. */
export const auditColumns = (words: AuditWords): readonly Column<AuditEntry>[] => {
  const { say, saySentence } = words
  return [
    {
      id: 'created_at',
      header: say('time'),
      cell: (entry) => <TimeText at={entry.created_at} brief />,
      value: (entry) => new Date(entry.created_at * 1000).toISOString(),
    },
    {
      id: 'happened',
      header: saySentence('happened'),
      card: 'title',
      most: 520,
      filters: (entry) => [
        { facet: 'actor', value: String(entry.actor_id) },
        { facet: 'action', value: entry.action },
        { facet: 'object', value: entry.object },
        { facet: 'object_id', value: entry.object_id },
      ],
      cell: (entry) => sentenceOf(entry, words),
      value: (entry) => sentenceOf(entry, words),
    },
    {
      id: 'changes',
      header: say('changes'),
      width: 260,
      most: 460,
      cell: (entry) => <Changes lines={changeLinesOf(entry, words)} />,
      value: changesText,
    },
    {
      id: 'actor',
      header: say('actor'),
      hidden: true,
      card: 'none',
      filters: (entry) => [{ facet: 'actor', value: String(entry.actor_id) }],
      cell: (entry) => <span className={entry.actor_id > 0 ? 'strong' : 'faint'}>{actorName(entry, say)}</span>,
      value: (entry) => entry.actor_name,
    },
    {
      id: 'action',
      header: say('action'),
      hidden: true,
      card: 'none',
      filters: (entry) => [{ facet: 'action', value: entry.action }],
      cell: (entry) => actionWord(entry.action, say),
      value: (entry) => entry.action,
    },
    {
      id: 'object',
      header: say('object'),
      hidden: true,
      card: 'none',
      filters: (entry) => [
        { facet: 'object', value: entry.object },
        { facet: 'object_id', value: entry.object_id },
      ],
      cell: (entry) => <span className="num">{objectName(entry, say)}</span>,
      value: (entry) => `${entry.object} ${entry.object_id}`,
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
}
