import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { Facet, RowAction } from '#web/components/data-table/columns/column.ts'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { withCounts } from '#web/components/data-table/filters/counted-facets.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { TaskLog } from '#web/components/task-log/task-log.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type ListedVideo } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { momentForPage, useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { type RangeName, readRange } from '#web/lib/time/time-range.ts'
import { timeZone, useTimeZone } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { type TableQuery, tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { videoColumns } from './columns.tsx'
import type { VideoFields } from './make-video.tsx'
import { type SayVideo, useVideoMessages } from './messages.ts'
import { isOver, stateOptions } from './states.tsx'

const VideoSheet = onDemand(async () => (await import('./video-sheet.tsx')).VideoSheet)
const VideoExample = onDemand(async () => (await import('./example.tsx')).VideoExample)
const MakeVideo = onDemand(async () => (await import('./make-video.tsx')).MakeVideo)

const defaultRange: RangeName = '30d'
/** Time between reads, for the progress of videos under way. */
const refreshEveryMs = 5_000

const filters = ['range', 'status', 'video_id', 'channel_id', 'user_id'] as const
type VideoFilter = (typeof filters)[number]

const table = { name: 'videos', filters, defaults: { range: defaultRange } } as const

const queryOf = ({ range = 'all', ...filter }: TableQuery<VideoFilter>, anchor: number, zone: string | undefined) => {
  const { from, to } = readRange(range, anchor, defaultRange, zone)
  return {
    ...filter,
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(to === undefined ? {} : { end_timestamp: Math.floor(to) }),
  }
}

const namesIn = (pairs: readonly (readonly [id: number, name: string | undefined])[]) =>
  [...new Map(pairs.map(([id, name]) => [String(id), name || `#${id}`]))].map(([value, label]) => ({ value, label }))

const facetsOf = (say: SayVideo): readonly Facet<VideoFilter>[] => [
  { kind: 'choice', id: 'status', label: say('status'), options: stateOptions(say) },
  { kind: 'text', id: 'video_id', label: say('videoId') },
]

const peopleFacets = (say: SayVideo, rows: readonly ListedVideo[]): readonly Facet<VideoFilter>[] => [
  {
    kind: 'choice',
    id: 'channel_id',
    label: say('channel'),
    options: namesIn(rows.map(({ channel_id, channel_name }) => [channel_id, channel_name])),
    single: true,
  },
  {
    kind: 'choice',
    id: 'user_id',
    label: say('user'),
    options: namesIn(rows.map(({ user_id, username }) => [user_id, username])),
    single: true,
  },
]

// Both lists have the same shape; only who may call them differs.
const listOf = (isOperator: boolean) =>
  (isOperator ? calls.browseVideos : calls.browseOwnVideos) as typeof calls.browseVideos

const emptyFields: VideoFields = { model: 'sora-2', prompt: '', seconds: '', size: '' }

const fieldsOf = ({ model, prompt, seconds, size }: ListedVideo): VideoFields => ({
  model,
  prompt,
  seconds: seconds > 0 ? seconds : '',
  size: /^\d+x\d+$/.test(size) ? size : '',
})

export const firstRead: FirstRead = (read, search) =>
  read(listOf(isStaffNow('logs')), { query: queryOf(tableQueryAt(table, search), momentForPage(), timeZone()) })

/** Videos: one's own, or of operators all. */
export const VideosScreen = () => {
  const say = useVideoMessages()
  const isOperator = useIsStaff('logs')
  const self = useSession()?.id
  const zone = useTimeZone()
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const { copy, byHand } = useCopy()
  const state = useTableState(table)
  const query = queryOf(state.query, anchor, zone)
  const videos = useEndpoint(listOf(isOperator), { query }, { refreshEveryMs })
  const columns = useMemo(() => videoColumns(say, isOperator), [say, isOperator])
  const [making, setMaking] = useState<VideoFields>()
  const [asked, setAsked] = useState<{ readonly row: ListedVideo; readonly isOpen: boolean }>()
  const remove = useAction(({ id }: ListedVideo) => call(calls.deleteOwnVideo, { params: { id } }), {
    refresh: [calls.browseVideos, calls.browseOwnVideos],
    done: say('removed'),
    onDone: () => setSearch({ id: undefined }),
  })
  const items = videos.data?.items ?? []
  const open = items.find(({ id }) => String(id) === search.id)
  const show = (row: ListedVideo): void => setSearch({ id: String(row.id) })
  const again = (row: ListedVideo): void => {
    setSearch({ id: undefined })
    setMaking(fieldsOf(row))
  }
  const askToRemove = (row: ListedVideo): void => setAsked({ row, isOpen: true })
  const refresh = (): void => {
    renew()
    void videos.refetch()
  }
  const rowActions = (row: ListedVideo): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => show(row) },
    { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.video_id) },
    { label: say('again'), icon: 'refresh', onClick: () => again(row) },
    ...(row.user_id === self && isOver(row)
      ? [{ label: say('remove'), icon: 'trash' as const, danger: true, onClick: () => askToRemove(row) }]
      : []),
  ]
  const people = isOperator ? withCounts(peopleFacets(say, items), calls.countVideos, query) : []
  return (
    <>
      <TaskLog
        say={say}
        icon="film"
        actions={
          <Button variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={() => setMaking(emptyFields)}>
            {say('make')}
          </Button>
        }
        columns={columns}
        facets={[...facetsOf(say), ...people]}
        query={videos}
        state={state}
        range={state.filters.range}
        fallback={defaultRange}
        onRange={(chosen) => state.setFilter('range', chosen)}
        onRefresh={refresh}
        beginning={<VideoExample />}
        rowName={(row) => row.video_id}
        rowActions={rowActions}
        onOpen={show}
        readRows={() => readAll((p, page_size) => call(listOf(isOperator), { query: { ...query, p, page_size } }))}
      />
      {open && (
        <VideoSheet
          video={open}
          isOwn={open.user_id === self}
          onAgain={() => again(open)}
          onRemove={() => askToRemove(open)}
          onClose={() => setSearch({ id: undefined })}
        />
      )}
      {making && <MakeVideo initial={making} onClose={() => setMaking(undefined)} />}
      {asked && (
        <ConfirmAction
          opened={asked.isOpen}
          onClose={() => setAsked({ ...asked, isOpen: false })}
          title={say('removeTitle', { id: asked.row.video_id })}
          effect={say('removeEffect')}
          confirmLabel={say('remove')}
          danger
          onConfirm={() => remove.submit(asked.row)}
        />
      )}
      <CopyDialog {...byHand} />
    </>
  )
}
