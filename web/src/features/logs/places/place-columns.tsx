import type { Column } from '../../../components/data-table/columns/column.ts'
import type { LogEntry } from '../../../lib/api/contract.ts'
import { listTags } from '../../../lib/text/cost-tags.ts'
import type { SayLog } from '../messages.ts'

export const tagsText = ({ tags }: LogEntry): string => listTags(tags).join(', ')

/** The member of a key of a project; a word for machines, empty for people's own keys. */
export const memberText = ({ place }: LogEntry, say: SayLog): string =>
  place?.member?.name ?? (place ? say('machine') : '')

/** Cost tags of the key and of the call. */
export const tagColumn = (say: SayLog): Column<LogEntry> => ({
  id: 'tags',
  header: say('tags'),
  hidden: true,
  card: 'none',
  most: 220,
  filters: ({ tags }) => listTags(tags).map((value) => ({ facet: 'tag', value })),
  cell: (log) => <span className="mono">{tagsText(log)}</span>,
  value: tagsText,
})

/** The customer of the caller for whom a call was made. */
export const endUserColumn = (say: SayLog): Column<LogEntry> => ({
  id: 'end_user',
  header: say('endUser'),
  hidden: true,
  card: 'none',
  most: 180,
  filters: ({ end_user: id }) => (id === undefined ? [] : [{ facet: 'end_user', value: id }]),
  cell: ({ end_user: id = '' }) => <span className="mono">{id}</span>,
  value: ({ end_user: id = '' }) => id,
})

/** Organisation, project and member of the key, for operators. */
export const placeColumns = (say: SayLog): readonly Column<LogEntry>[] => {
  const column = (id: 'organisation' | 'project' | 'member', text: (log: LogEntry) => string): Column<LogEntry> => ({
    id,
    header: say(id),
    hidden: true,
    card: 'none',
    most: 180,
    filters: ({ place }) => (place ? [{ facet: `${id}_id`, value: String(place[id]?.id ?? 0) }] : []),
    cell: text,
    value: text,
  })
  return [
    column('organisation', ({ place }) => place?.organisation.name ?? ''),
    column('project', ({ place }) => place?.project.name ?? ''),
    column('member', (log) => memberText(log, say)),
  ]
}
