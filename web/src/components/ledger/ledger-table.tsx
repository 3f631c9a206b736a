import { useNavigate } from '@tanstack/react-router'
import { largestPageSize } from '@tollgate/contract/sizes'
import { useMemo } from 'react'
import { call } from '../../lib/api/api.ts'
import { calls, type LedgerEntry, type LedgerPage, ledgerReasons } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { CopyDialog, useCopy } from '../copy/copy-text.tsx'
import type { Facet, RowAction } from '../data-table/columns/column.ts'
import { DataTable } from '../data-table/data-table.tsx'
import { ledgerColumns, reasonText } from './ledger-columns.tsx'
import { type LedgerFilterName, useLedgerPages } from './ledger-pages.ts'
import { type SayLedger, useLedgerMessages } from './messages.ts'

/** More rows than this are for the database, not for a browser. */
const mostRows = 10_000

/** Reads a ledger from its newest entry back. `capped` is true if there were more than `mostRows`. */
export const readLedger = async (
  readPage: (edge: { page_size: number; before?: number }) => Promise<LedgerPage>,
): Promise<{ rows: LedgerEntry[]; capped: boolean }> => {
  const rows: LedgerEntry[] = []
  while (rows.length < mostRows) {
    const last = rows.at(-1)
    const { items, more } = await readPage({ page_size: largestPageSize, ...(last ? { before: last.id } : {}) })
    rows.push(...items)
    if (!more) return { rows, capped: false }
  }
  return { rows, capped: true }
}

const facetsOf = (say: SayLedger): readonly Facet<LedgerFilterName>[] => [
  {
    kind: 'choice',
    id: 'account',
    label: say('account'),
    single: true,
    options: [
      { value: 'user', label: say('balance') },
      { value: 'aff', label: say('earnings') },
    ],
  },
  {
    kind: 'choice',
    id: 'reason',
    label: say('reason'),
    options: ledgerReasons.map((value) => ({ value, label: say(`reason_${value}`) })),
  },
]

/**
 * Every movement of a balance with the balance after it: a user's for admins, or the reader's own if `userId` is
 * absent.
 */
export const LedgerTable = ({ userId }: { userId?: number }) => {
  const say = useLedgerMessages()
  const navigate = useNavigate()
  const { copy, byHand } = useCopy()
  const { query, stateOver } = useLedgerPages()
  const own = useEndpoint(calls.listOwnLedger, { query }, { enabled: userId === undefined })
  const theirs = useEndpoint(
    calls.listUserLedger,
    { params: { id: userId ?? 0 }, query },
    { enabled: userId !== undefined },
  )
  const entries = userId === undefined ? own : theirs
  const forAdmin = userId !== undefined
  const columns = useMemo(() => ledgerColumns(say, { forAdmin }), [say, forAdmin])

  const { before: _before, after: _after, ...filter } = query
  const readRows = () =>
    readLedger((edge) => {
      const wanted = { ...filter, ...edge }
      return userId === undefined
        ? call(calls.listOwnLedger, { query: wanted })
        : call(calls.listUserLedger, { params: { id: userId }, query: wanted })
    })
  const actions = (entry: LedgerEntry): readonly RowAction[] => [
    ...(entry.request_id === ''
      ? []
      : [
          {
            label: say('showRequest'),
            icon: 'document',
            onClick: () =>
              void navigate({
                to: '/log',
                search: { request_id: entry.request_id, request: entry.request_id, range: 'all' },
              }),
          } as const,
        ]),
    { label: say('copyMovement'), icon: 'copy', onClick: () => void copy(entry.movement) },
  ]
  return (
    <>
      <DataTable
        title={say('title')}
        columns={columns}
        query={entries}
        state={stateOver(entries.data)}
        rowId={(entry) => entry.id}
        rowName={(entry) => `${reasonText(entry.reason, say)} #${entry.id}`}
        facets={facetsOf(say)}
        rowActions={actions}
        readRows={readRows}
        exportName="ledger"
        empty={{ icon: 'wallet', title: say('empty'), text: say('emptyText') }}
      />
      <CopyDialog {...byHand} />
    </>
  )
}
