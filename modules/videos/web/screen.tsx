import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import type { Facet, RowAction } from '#web/components/data-table/columns/column.ts'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { withCounts } from '#web/components/data-table/filters/counted-facets.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { ConfirmAction, useQuestion } from '#web/components/form/confirm-action.tsx'
import { peopleFacets } from '#web/components/task-log/task-columns.tsx'
import { TaskLog } from '#web/components/task-log/task-log.tsx'
import { useTaskView } from '#web/components/task-log/use-task-view.ts'
import { call } from '#web/lib/api/api.ts'
import { calls, type ListedVideo } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import type { RangeName } from '#web/lib/time/time-range.ts'
import { firstRangeQuery, type RangedTable } from '#web/lib/url/range-query.ts'
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

type VideoFilter = 'status' | 'video_id' | 'channel_id' | 'user_id'

const table: RangedTable<VideoFilter> = {
  name: 'videos',
  filters: ['range', 'status', 'video_id', 'channel_id', 'user_id'],
  defaults: { range: defaultRange },
}

const facetsOf = (say: SayVideo): readonly Facet<VideoFilter>[] => [
  { kind: 'choice', id: 'status', label: say('status'), options: stateOptions(say) },
  { kind: 'text', id: 'video_id', label: say('videoId') },
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
  read(listOf(isStaffNow('logs')), { query: firstRangeQuery<VideoFilter>(table, search) })

/** Videos: one's own, or of operators all. */
export const VideosScreen = () => {
  const say = useVideoMessages()
  const isOperator = useIsStaff('logs')
  const self = useSession()?.id
  const { copy, byHand } = useCopy()
  const { state, query, renew, openAmong, show, close } = useTaskView<VideoFilter>(table)
  const videos = useEndpoint(listOf(isOperator), { query }, { refreshEveryMs })
  const columns = useMemo(() => videoColumns(say, isOperator), [say, isOperator])
  const [making, setMaking] = useState<VideoFields>()
  const removal = useQuestion<ListedVideo>()
  const remove = useAction(({ id }: ListedVideo) => call(calls.deleteOwnVideo, { params: { id } }), {
    refresh: [calls.browseVideos, calls.browseOwnVideos],
    done: say('removed'),
    onDone: close,
  })
  const items = videos.data?.items ?? []
  const open = openAmong(items)
  const again = (row: ListedVideo): void => {
    close()
    setMaking(fieldsOf(row))
  }
  const refresh = (): void => {
    renew()
    void videos.refetch()
  }
  const rowActions = (row: ListedVideo): readonly RowAction[] => [
    { label: say('open'), icon: 'document', onClick: () => show(row) },
    { label: say('copyId'), icon: 'copy', onClick: () => void copy(row.video_id) },
    { label: say('again'), icon: 'refresh', onClick: () => again(row) },
    ...(row.user_id === self && isOver(row)
      ? [{ label: say('remove'), icon: 'trash' as const, danger: true, onClick: () => removal.ask(row) }]
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
          onRemove={() => removal.ask(open)}
          onClose={close}
        />
      )}
      {making && <MakeVideo initial={making} onClose={() => setMaking(undefined)} />}
      {removal.row && (
        <ConfirmAction
          opened={removal.isOpen}
          onClose={removal.close}
          title={say('removeTitle', { id: removal.row.video_id })}
          effect={say('removeEffect')}
          confirmLabel={say('remove')}
          danger
          onConfirm={async () => removal.row && remove.submit(removal.row)}
        />
      )}
      <CopyDialog {...byHand} />
    </>
  )
}
