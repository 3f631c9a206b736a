import { Button } from '@mantine/core'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { BulkAction, Facet } from '../../components/data-table/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { type Channel, calls, channelStatus } from '../../lib/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { readText, writeText } from '../../lib/storage.ts'
import { useTableState } from '../../lib/table-state.ts'
import { useBulkChannels } from './bulk.tsx'
import { channelColumns } from './columns.tsx'
import { ChannelFigures } from './figures.tsx'
import { ChannelSheet } from './form.tsx'
import { useHealthWords } from './health-messages.ts'
import { HealthSheet } from './health-sheet.tsx'
import { useChannelJobs } from './jobs.tsx'
import { useChannelWords } from './messages.ts'
import { useRemoveChannels } from './remove.tsx'
import { useChannelActions } from './row-actions.tsx'
import { TagTable } from './tag-table.tsx'
import { tagFilters } from './tagged-channels.ts'
import { TestPanel } from './test-panel.tsx'
import { ChannelTools } from './tools.tsx'
import { useChannelTypes } from './types.ts'

const filters = ['keyword', 'model', 'status', 'type', 'group', 'tag'] as const
type ChannelFilter = (typeof filters)[number]
const isTagFacet = (facet: Facet<ChannelFilter>): facet is Facet<(typeof tagFilters)[number]> =>
  tagFilters.some((name) => name === facet.id)
const byId = { column: 'id', descending: true }

const useChannelFacets = (channels: readonly Channel[]): readonly Facet<ChannelFilter>[] => {
  const say = useChannelWords()
  const { types, labelOf } = useChannelTypes()
  const { data: groups } = useEndpoint(calls.listGroups)
  const tags = new Set(channels.map((channel) => channel.tag ?? '').filter(Boolean))
  const option = (value: number, label: string) => ({ value: String(value), label })
  return [
    {
      kind: 'choice',
      id: 'status',
      label: say('status'),
      options: [
        option(channelStatus.enabled, say('enabled')),
        option(channelStatus.disabled, say('disabled')),
        option(channelStatus.autoDisabled, say('autoDisabled')),
      ],
    },
    {
      kind: 'choice',
      id: 'type',
      label: say('type'),
      options: types.map(({ type }) => option(type, labelOf(type) ?? say('unknownType'))),
    },
    {
      kind: 'choice',
      id: 'group',
      label: say('group'),
      options: (groups ?? []).map((name) => ({ value: name, label: name })),
    },
    { kind: 'text', id: 'tag', label: say('tag'), suggestions: [...tags] },
    { kind: 'text', id: 'model', label: say('model'), placeholder: say('modelKeyword') },
  ]
}

/** How often the figures of the last day are read again while the list is open. */
const healthEveryMs = 30_000

/** The health of the channels on this page, and what their columns need beside. */
const useColumns = (channels: readonly Channel[], onHealth: (channel: Channel) => void) => {
  const say = useChannelWords()
  const sayHealth = useHealthWords()
  const { labelOf, hasBalance } = useChannelTypes()
  const ids = channels.map(({ id }) => id)
  const health = useEndpoint(
    calls.listChannelHealth,
    { query: { ids: ids.join() } },
    { enabled: ids.length > 0, refreshEveryMs: healthEveryMs },
  )
  const known = new Map((health.data ?? []).map((entry) => [entry.channel_id, entry]))
  return channelColumns({ say, sayHealth, labelOf, hasBalance, healthOf: (id) => known.get(id), onHealth })
}

/** The sheet of one channel's health, which has an address of its own, and the panel that tests some. */
const useChannelViews = () => {
  const [search, setSearch] = useSearchParams()
  const [tested, setTested] = useState<readonly Channel[]>([])
  const shown = Number(search.health)
  return {
    openHealth: (channel: Channel): void => setSearch({ health: String(channel.id) }),
    test: setTested,
    views: (onTest: (id: number) => void, onEnable: (id: number) => void): ReactNode => (
      <>
        {shown > 0 && (
          <HealthSheet
            key={shown}
            id={shown}
            onClose={() => setSearch({ health: undefined })}
            onTest={onTest}
            onEnable={onEnable}
          />
        )}
        {tested.length > 0 && (
          <TestPanel key={tested.map(({ id }) => id).join()} channels={tested} onClose={() => setTested([])} />
        )}
      </>
    ),
  }
}

export const ChannelsScreen = () => {
  const say = useChannelWords()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { id } = useParams({ strict: false })
  const [search, setSearch] = useSearchParams()
  const [idSort, setIdSort] = useState(readText('id-sort') === 'true')
  const state = useTableState({ name: 'channels', filters, ...(idSort ? { defaultSort: byId } : {}) })
  const channels = useEndpoint(calls.browseChannels, { query: state.query })
  const facets = useChannelFacets(channels.data?.items ?? [])
  const bulk = useBulkChannels()
  const remove = useRemoveChannels()
  const tagMode = search.tags === '1'

  const go = { search: true, resetScroll: false } as const
  const edit = (channel: Channel): void =>
    void navigate({ to: '/channel/edit/$id', params: { id: String(channel.id) }, ...go })
  const views = useChannelViews()
  const jobs = useChannelJobs()
  const columns = useColumns(channels.data?.items ?? [], views.openHealth)
  const { actions, test, setStatus } = useChannelActions({
    remove,
    onEdit: edit,
    onTest: views.test,
    onHealth: views.openHealth,
  })
  const sortById = (on: boolean): void => {
    writeText('id-sort', String(on))
    setIdSort(on)
    state.setSort(undefined)
  }
  const bulkActions: readonly BulkAction<Channel>[] = [
    {
      label: say('enable'),
      icon: 'check',
      onClick: (rows, clear) => bulk.setStatus(rows, channelStatus.enabled, clear),
    },
    {
      label: say('disable'),
      icon: 'stop',
      onClick: (rows, clear) => bulk.setStatus(rows, channelStatus.disabled, clear),
    },
    { label: say('testSelected'), icon: 'send', onClick: (rows) => views.test(rows) },
    { label: say('setTag'), onClick: (rows, clear) => bulk.ask('tag', rows, clear) },
    { label: say('setPriority'), onClick: (rows, clear) => bulk.ask('priority', rows, clear) },
    { label: say('setWeight'), onClick: (rows, clear) => bulk.ask('weight', rows, clear) },
    { label: say('delete'), icon: 'trash', danger: true, onClick: remove.rows },
  ]
  const add = (
    <Button
      variant="filled"
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => void navigate({ to: '/channel/add', ...go })}
    >
      {say('add')}
    </Button>
  )
  const tools = (selected: readonly Channel[], clear: () => void) => (
    <ChannelTools
      idSort={idSort}
      onIdSort={sortById}
      tagMode={tagMode}
      onTagMode={(on) => setSearch({ tags: on ? '1' : undefined, p: undefined, sort: undefined })}
      selected={selected}
      onClear={clear}
      bulk={bulk}
      remove={remove}
      jobs={jobs}
    />
  )
  const edited = Number(id)
  const adding = pathname.replace(/\/$/, '') === '/channel/add'
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} actions={add} />
      <ChannelFigures />
      {jobs.strip}
      {tagMode ? (
        <TagTable
          tools={tools([], () => undefined)}
          facets={facets.filter(isTagFacet)}
          onShow={(tag) =>
            setSearch({
              tags: undefined,
              tag: tag || undefined,
              keyword: undefined,
              model: undefined,
              group: undefined,
            })
          }
          onEdit={edit}
        />
      ) : (
        <DataTable
          title={say('title')}
          columns={columns}
          query={channels}
          state={state}
          rowId={(channel) => channel.id}
          rowName={(channel) => channel.name}
          quiet={(channel) => channel.status !== channelStatus.enabled}
          search={{ filter: 'keyword', placeholder: say('search') }}
          facets={facets}
          tools={tools}
          onOpen={edit}
          rowActions={actions}
          bulkActions={bulkActions}
          empty={{ icon: 'channels', title: say('emptyTitle'), text: say('emptyText'), action: add }}
        />
      )}
      {(adding || edited > 0) && (
        <ChannelSheet
          key={adding ? 'add' : edited}
          id={adding ? undefined : edited}
          onClose={() => void navigate({ to: '/channel', ...go })}
        />
      )}
      {views.views(
        (id) => void test({ id, name: `#${id}` }),
        (id) => void setStatus(id, channelStatus.enabled),
      )}
      {bulk.dialogs}
      {remove.dialog}
    </>
  )
}
