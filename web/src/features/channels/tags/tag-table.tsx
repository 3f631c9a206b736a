import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Column, Facet, RowAction } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { GroupTags } from '../../../components/display/group-tag.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { type Channel, channelStatus } from '../../../lib/api/contract.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { ResponseTime } from '../columns.tsx'
import { type Field, NumberCell } from '../inline-number.tsx'
import { type SayChannel, useChannelMessages } from '../messages.ts'
import { TagChildren } from './tag-children.tsx'
import { type SayTag, useTagMessages } from './tag-messages.ts'
import { type TagNumber, useTagNumber } from './tag-number.ts'
import { type TagRow, tagRows } from './tag-rows.ts'
import { TagSheet } from './tag-sheet.tsx'
import { useTagStatus } from './tag-status.ts'
import { tagFilters, useTaggedChannels } from './tagged-channels.ts'

interface SharedProps {
  row: TagRow
  field: Field
  saved: TagNumber | undefined
  onAsk: (change: TagNumber) => void
}

const Shared = (props: SharedProps) => {
  const say = useChannelMessages()
  const sayTag = useTagMessages()
  const { row, field, saved, onAsk } = props
  const value = row[field]
  const mixed = sayTag('mixed')
  if (row.tag === '') return value === undefined ? <span className="faint">{mixed}</span> : <span>{value}</span>
  return (
    <NumberCell
      field={field}
      value={value}
      {...(value === undefined ? { shown: <span className="faint">{mixed}</span> } : {})}
      label={sayTag('tagCell', { tag: row.tag, field: say(field), value: value ?? mixed })}
      saved={saved?.row.tag === row.tag && saved.field === field}
      onSave={(next) => onAsk({ row, field, value: next })}
    />
  )
}

interface ColumnParts {
  say: SayChannel
  sayTag: SayTag
  /** The number that was saved a moment ago. */
  saved: TagNumber | undefined
  onAsk: (change: TagNumber) => void
  onEdit: (channel: Channel) => void
}

const columns = ({ say, sayTag, saved, onAsk, onEdit }: ColumnParts): readonly Column<TagRow>[] => [
  {
    id: 'tag',
    header: say('tag'),
    card: 'title',
    cell: (row) =>
      row.tag === '' ? <span className="muted">{sayTag('untagged')}</span> : <span className="strong">{row.tag}</span>,
    value: (row) => row.tag,
  },
  {
    id: 'status',
    header: say('status'),
    card: 'title',
    cell: (row) => (
      <StatusBadge
        tone={row.enabled === row.channels.length ? 'good' : row.enabled > 0 ? 'warn' : 'neutral'}
        label={sayTag('channelsOf', { enabled: row.enabled, count: row.channels.length })}
      />
    ),
    value: (row) => row.enabled,
  },
  {
    id: 'children',
    header: sayTag('children'),
    cell: (row) => <TagChildren row={row} onEdit={onEdit} />,
    value: (row) => row.channels.length,
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
    cell: (row) => <Shared row={row} field="priority" saved={saved} onAsk={onAsk} />,
    value: (row) => row.priority ?? null,
  },
  {
    id: 'weight',
    header: say('weight'),
    align: 'right',
    cell: (row) => <Shared row={row} field="weight" saved={saved} onAsk={onAsk} />,
    value: (row) => row.weight ?? null,
  },
]

interface TagTableProps {
  tools: ReactNode
  facets: readonly Facet<(typeof tagFilters)[number]>[]
  onShow: (tag: string) => void
  onEdit: (channel: Channel) => void
}

/** Channels summed up by tag; a tag is switched and edited as one. */
export const TagTable = ({ tools, facets, onShow, onEdit }: TagTableProps) => {
  const say = useChannelMessages()
  const sayTag = useTagMessages()
  const state = useTableState({ name: 'channel-tags', filters: tagFilters })
  const { channels, ...query } = useTaggedChannels(state.filters)
  const [edited, setEdited] = useState<string>()
  const [pending, setPending] = useState<TagNumber>()
  const rows = tagRows(channels ?? [])
  const start = (state.page - 1) * state.pageSize
  const { saved, setNumber } = useTagNumber()
  const setStatus = useTagStatus()
  const actions = (row: TagRow): readonly RowAction[] => [
    ...(row.tag === '' ? [] : [{ label: sayTag('showTag'), icon: 'list', onClick: () => onShow(row.tag) } as const]),
    ...(row.tag === ''
      ? []
      : ([
          {
            label: sayTag('enableTag'),
            icon: 'check',
            changes: true,
            onClick: () => void setStatus(row, channelStatus.enabled),
          },
          {
            label: sayTag('disableTag'),
            icon: 'stop',
            changes: true,
            onClick: () => void setStatus(row, channelStatus.disabled),
          },
          { label: sayTag('editTag'), icon: 'edit', changes: true, onClick: () => setEdited(row.tag) },
        ] as const)),
  ]
  return (
    <>
      <DataTable
        title={say('tagMode')}
        columns={columns({ say, sayTag, saved, onAsk: setPending, onEdit })}
        query={{
          ...query,
          data: channels && { items: rows.slice(start, start + state.pageSize), total: rows.length },
        }}
        state={state}
        rowId={(row) => row.tag}
        rowName={(row) => row.tag || sayTag('untagged')}
        search={{ filter: 'keyword', placeholder: sayTag('tagSearch') }}
        facets={facets}
        tools={tools}
        readRows={async () => ({ rows, capped: false })}
        onOpen={(row) => (row.tag === '' ? undefined : setEdited(row.tag))}
        rowActions={actions}
        empty={{ icon: 'channels', title: sayTag('tagNone'), text: sayTag('tagNoneText') }}
      />
      <ConfirmAction
        opened={pending !== undefined}
        onClose={() => setPending(undefined)}
        title={sayTag(pending?.field === 'weight' ? 'tagWeightTitle' : 'tagPriorityTitle')}
        effect={sayTag(pending?.field === 'weight' ? 'tagWeightEffect' : 'tagPriorityEffect', {
          value: pending?.value ?? 0,
        })}
        confirmLabel={sayTag('tagChange', { count: pending?.row.channels.length ?? 0 })}
        onConfirm={() => (pending ? setNumber(pending) : undefined)}
      />
      {edited !== undefined && <TagSheet key={edited} tag={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
