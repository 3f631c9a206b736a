import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { auditColumns } from '../../../components/audit/columns.tsx'
import { actionWord } from '../../../components/audit/messages.ts'
import { useAuditWords } from '../../../components/audit/sentence.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { readAll } from '../../../components/data-table/export/read-all.ts'
import { call } from '../../../lib/api/api.ts'
import { calls } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { useUserPageMessages } from './messages.ts'

const EntrySheet = onDemand(async () => (await import('../../../components/audit/entry-sheet.tsx')).EntrySheet)

const noFilters = [] as const
/** The account itself and its sign-ins; both carry the user's id. */
const objects = 'user,session'

/** Changes and sign-ins of this account. */
export const Audit = ({ userId }: { userId: number }) => {
  const say = useUserPageMessages()
  const words = useAuditWords()
  const auditSay = words.say
  const [search, setSearch] = useSearchParams()
  const state = useTableState({ name: 'user-audit', filters: noFilters })
  const query = { ...state.query, object: objects, object_id: String(userId) }
  const entries = useEndpoint(calls.listAudit, { query }, { staleTimeMs: 0 })
  const columns = useMemo(() => auditColumns(words).filter(({ id }) => id !== 'object'), [words])
  return (
    <>
      <DataTable
        title={say('audit')}
        columns={columns}
        query={entries}
        state={state}
        rowId={(entry) => entry.id}
        rowName={(entry) => `${actionWord(entry.action, auditSay)} ${entry.id}`}
        tools={
          <Link to="/audit" search={{ object: objects, object_id: String(userId), range: 'all' }}>
            {say('auditAll')}
          </Link>
        }
        onOpen={(entry) => setSearch({ id: String(entry.id) })}
        readRows={() => readAll((p, page_size) => call(calls.listAudit, { query: { ...query, p, page_size } }))}
        empty={{ icon: 'document', title: say('auditEmpty') }}
      />
      {search.id && <EntrySheet rows={entries.data?.items ?? []} wanted={search.id} />}
    </>
  )
}
