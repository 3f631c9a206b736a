import { Button } from '@mantine/core'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { forChosen } from '../../components/batch/chosen.ts'
import type { BulkAction, Facet } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { withCounts } from '../../components/data-table/filters/counted-facets.ts'
import { Icon } from '../../components/display/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useChannelTypes } from '../../components/providers/channel-types.ts'
import { call } from '../../lib/api/api.ts'
import { type Channel, calls, channelStatus } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { type FirstRead, useReadAhead } from '../../lib/loading/read-ahead.ts'
import { readText, writeText } from '../../lib/preferences/storage.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '../../lib/url/table-state.ts'
import { BulkChannelsDialogs, useBulkChannels } from './bulk/bulk.tsx'
import { ChannelJobsStrip, useChannelJobs } from './bulk/jobs.tsx'
import { RemoveChannelsDialog, useRemoveChannels } from './bulk/remove.tsx'
import { channelColumns } from './columns.tsx'
import { type ChannelFilterName, channelFilters, useAttentionFacet, useChannelFacets } from './facets.ts'
import { ChannelFigures } from './figures.tsx'
import { useHealthMessages } from './health/health-messages.ts'
import { useListed } from './listed.ts'
import { useChannelMessages } from './messages.ts'
import { ChannelViews, useChannelViews } from './panels.tsx'
import { useChannelActions } from './row-actions.tsx'
import { tagFilters } from './tags/tagged-channels.ts'
import { ChannelTools } from './tools.tsx'

const TagTable = onDemand(async () => (await import('./tags/tag-table.tsx')).TagTable)
const ChannelPreview = onDemand(async () => (await import('./preview.tsx')).ChannelPreview)
const ChannelSheet = onDemand(async () => (await import('./form/form.tsx')).ChannelSheet)

const isTagFacet = (facet: Facet<ChannelFilterName>): facet is Facet<(typeof tagFilters)[number]> =>
  tagFilters.some((name) => name === facet.id)
const byId = { column: 'id', descending: true }
const tableOf = (idSort: boolean) => ({
  name: 'channels',
  filters: channelFilters,
  ...(idSort ? { defaultSort: byId } : {}),
})
const sortsById = (): boolean => readText('id-sort') === 'true'

export const firstRead: FirstRead = (read, search) => {
  if (search.tags !== '1') read(calls.browseChannels, { query: tableQueryAt(tableOf(sortsById()), search) })
}

const noFilters = Object.fromEntries([...channelFilters, 'not'].map((name) => [name, undefined]))
const none: readonly Channel[] = []
const nameOf = ({ name }: Channel): string => name

const useColumns = (onHealth: (channel: Channel) => void) => {
  const say = useChannelMessages()
  const sayHealth = useHealthMessages()
  const { labelOf, hasBalance } = useChannelTypes()
  return useMemo(
    () => channelColumns({ say, sayHealth, labelOf, hasBalance, onHealth }),
    [say, sayHealth, labelOf, hasBalance, onHealth],
  )
}

export const ChannelsScreen = () => {
  const say = useChannelMessages()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { id } = useParams({ strict: false })
  const [search, setSearch] = useSearchParams()
  const [idSort, setIdSort] = useState(sortsById)
  const state = useTableState(tableOf(idSort))
  const channels = useEndpoint(calls.browseChannels, { query: state.query })
  const facets = useChannelFacets()
  const attentionFacet = useAttentionFacet()
  const bulk = useBulkChannels()
  const remove = useRemoveChannels()
  const tagMode = search.tags === '1'

  const go = { search: true, resetScroll: false } as const
  const edit = (channel: Channel): void =>
    void navigate({ to: '/channel/edit/$id', params: { id: String(channel.id) }, ...go })
  const read = useReadAhead()
  const prepare = ({ id }: Channel): void => {
    read(calls.getChannel, { params: { id } })
    read(calls.getChannelHealth, { params: { id } })
  }
  const views = useChannelViews()
  const jobs = useChannelJobs()
  const columns = useColumns(views.openHealth)
  const { data } = channels
  const rows = useListed(data?.items ?? none)
  const { actions, openPage, test, setStatus } = useChannelActions({
    remove,
    onEdit: edit,
    onTest: views.test,
    onHealth: views.openHealth,
    unpricedOf: ({ id }) => rows.find((row) => row.id === id)?.unpriced ?? 0,
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
      ...forChosen((chosen) => bulk.setStatus(chosen, channelStatus.enabled), nameOf),
    },
    {
      label: say('disable'),
      icon: 'stop',
      ...forChosen((chosen) => bulk.setStatus(chosen, channelStatus.disabled), nameOf),
    },
    { label: say('testSelected'), icon: 'send', ...views.bulk('test') },
    { label: say('setTag'), more: true, ...forChosen((chosen) => bulk.ask('tag', chosen), nameOf) },
    { label: say('setGroup'), more: true, ...forChosen((chosen) => bulk.ask('group', chosen), nameOf) },
    { label: say('setPriority'), more: true, ...forChosen((chosen) => bulk.ask('priority', chosen), nameOf) },
    { label: say('setWeight'), more: true, ...forChosen((chosen) => bulk.ask('weight', chosen), nameOf) },
    { label: say('refreshModels'), more: true, ...views.bulk('models') },
    { label: say('delete'), icon: 'trash', danger: true, ...forChosen(bulk.remove, nameOf), onClick: remove.rows },
  ]
  const add = (variant: 'filled' | 'default') => (
    <Button
      data-create
      variant={variant}
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
      <PageHeader title={say('title')} text={say('text')} actions={add('filled')} />
      <ChannelFigures onAttention={() => setSearch({ ...noFilters, attention: '1', tags: undefined, p: undefined })} />
      <ChannelJobsStrip {...jobs} />
      {tagMode ? (
        <TagTable
          tools={tools([], () => undefined)}
          // Tags are grouped here, and grouping supports filters that include only.
          facets={facets.filter(isTagFacet).map((facet) => ({ ...facet, not: false }))}
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
          tall
          columns={columns}
          query={{
            data: data && { ...data, items: rows },
            isPending: channels.isPending,
            isPlaceholderData: channels.isPlaceholderData,
            error: channels.error,
            refetch: channels.refetch,
          }}
          state={state}
          rowId={(channel) => channel.id}
          rowName={(channel) => channel.name}
          quiet={(channel) => channel.status !== channelStatus.enabled}
          search={{ filter: 'keyword', placeholder: say('search') }}
          facets={[...withCounts(facets, calls.countChannels, state.query), attentionFacet]}
          tools={tools}
          onOpen={views.openHealth}
          onEnter={openPage}
          current={search.health}
          onPoint={prepare}
          rowActions={actions}
          bulkActions={bulkActions}
          readRows={() =>
            readAll((p, page_size) => call(calls.browseChannels, { query: { ...state.query, p, page_size } }))
          }
          empty={{ icon: 'channels', title: say('emptyTitle'), text: say('emptyText'), action: add('default') }}
        />
      )}
      {(adding || edited > 0) && (
        <ChannelSheet
          key={adding ? 'add' : edited}
          id={adding ? undefined : edited}
          onClose={() => void navigate({ to: '/channel', ...go })}
        />
      )}
      {views.shown && (
        <ChannelPreview channel={views.shown} onTest={test} onStatus={setStatus} onClose={views.closeHealth} />
      )}
      <ChannelViews {...views} />
      <BulkChannelsDialogs {...bulk} />
      <RemoveChannelsDialog {...remove} />
    </>
  )
}
