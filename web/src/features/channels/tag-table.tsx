import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Column, RowAction } from '../../components/data-table/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { GroupTags } from '../../components/group-tag.tsx'
import { Quota } from '../../components/quota.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { calls } from '../../lib/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { useTableState } from '../../lib/table-state.ts'
import { ResponseTime } from './columns.tsx'
import { type SayChannel, useChannelWords } from './messages.ts'
import { type TagRow, tagRows } from './tag-rows.ts'
import { TagSheet } from './tag-sheet.tsx'

const Shared = ({ value, say }: { value: number | undefined; say: SayChannel }) =>
  value === undefined ? <span className="faint">{say('mixed')}</span> : <span className="num">{value}</span>

const columns = (say: SayChannel): readonly Column<TagRow>[] => [
  {
    id: 'tag',
    header: say('tag'),
    card: 'title',
    cell: (row) =>
      row.tag === '' ? <span className="muted">{say('untagged')}</span> : <span className="strong">{row.tag}</span>,
    value: (row) => row.tag,
  },
  {
    id: 'status',
    header: say('status'),
    card: 'title',
    cell: (row) => (
      <StatusBadge
        tone={row.enabled === row.channels.length ? 'good' : row.enabled > 0 ? 'warn' : 'neutral'}
        label={say('channelsOf', { enabled: row.enabled, count: row.channels.length })}
      />
    ),
    value: (row) => row.enabled,
  },
  { id: 'group', header: say('group'), cell: (row) => <GroupTags groups={row.groups} />, value: (row) => row.groups },
  {
    id: 'response_time',
    header: say('responseTime'),
    align: 'right',
    cell: (row) => <ResponseTime milliseconds={row.response_time} at={0} />,
    value: (row) => row.response_time / 1000,
  },
  {
    id: 'used_quota',
    header: say('used'),
    align: 'right',
    cell: (row) => <Quota value={row.used_quota} />,
    value: (row) => row.used_quota,
  },
  {
    id: 'priority',
    header: say('priority'),
    align: 'right',
    cell: (row) => <Shared value={row.priority} say={say} />,
    value: (row) => row.priority ?? null,
  },
  {
    id: 'weight',
    header: say('weight'),
    align: 'right',
    cell: (row) => <Shared value={row.weight} say={say} />,
    value: (row) => row.weight ?? null,
  },
]

interface TagTableProps {
  tools: ReactNode
  onShow: (tag: string) => void
}

/** Channels summed up by tag; a tag is switched and edited as one. */
export const TagTable = ({ tools, onShow }: TagTableProps) => {
  const say = useChannelWords()
  const state = useTableState({ name: 'channel-tags', filters: ['keyword'] })
  const keyword = state.filters.keyword ?? ''
  const all = useEndpoint(calls.searchChannels, { query: {} })
  const [edited, setEdited] = useState<string>()
  const rows = tagRows(all.data ?? []).filter((row) => row.tag.toLowerCase().includes(keyword.toLowerCase()))
  const start = (state.page - 1) * state.pageSize
  const refresh = [calls.searchChannels, calls.browseChannels]
  const enable = useAction(calls.enableTag, { refresh, done: say('statusDone') })
  const disable = useAction(calls.disableTag, { refresh, done: say('statusDone') })
  const actions = (row: TagRow): readonly RowAction[] => [
    ...(row.tag === '' ? [] : [{ label: say('showTag'), icon: 'list', onClick: () => onShow(row.tag) } as const]),
    ...(row.tag === ''
      ? []
      : ([
          { label: say('enableTag'), icon: 'check', onClick: () => void enable.run({ body: { tag: row.tag } }) },
          { label: say('disableTag'), icon: 'stop', onClick: () => void disable.run({ body: { tag: row.tag } }) },
          { label: say('editTag'), icon: 'edit', onClick: () => setEdited(row.tag) },
        ] as const)),
  ]
  return (
    <>
      <DataTable
        title={say('tagMode')}
        columns={columns(say)}
        query={{
          data: all.data && { items: rows.slice(start, start + state.pageSize), total: rows.length },
          isPending: all.isPending,
          isPlaceholderData: all.isPlaceholderData,
          error: all.error,
          refetch: all.refetch,
        }}
        state={state}
        rowId={(row) => row.tag}
        rowName={(row) => row.tag || say('untagged')}
        search={{ filter: 'keyword', placeholder: say('tag') }}
        tools={tools}
        onOpen={(row) => (row.tag === '' ? undefined : setEdited(row.tag))}
        rowActions={actions}
        empty={{ icon: 'channels', title: say('tagNone'), text: say('tagNoneText') }}
      />
      {edited !== undefined && <TagSheet key={edited} tag={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
