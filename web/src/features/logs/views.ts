import type { BuiltInView } from '../../components/data-table/views/table-views.ts'
import { logType } from '../../lib/api/contract.ts'
import type { SayLog } from './messages.ts'

const used = String(logType.consume)

/** Built-in views of the log: failed, slow, expensive, and today's requests. */
export const logViews = (say: SayLog): readonly BuiltInView[] => [
  { id: 'errors', name: say('viewErrors'), search: { range: '24h', type: String(logType.error) } },
  { id: 'slow', name: say('viewSlow'), search: { range: '24h', type: used, sort: '-use_time' } },
  { id: 'expensive', name: say('viewExpensive'), search: { range: '24h', type: used, sort: '-quota' } },
  { id: 'today', name: say('viewToday'), search: { range: 'today' } },
]
