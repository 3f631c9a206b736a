import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import batchClasses from '../../../components/batch/batch.module.css'
import type { Matching } from '../../../components/data-table/columns/column.ts'
import { readAll } from '../../../components/data-table/export/read-all.ts'
import { useUiMessages } from '../../../components/messages.ts'
import { ErrorState } from '../../../components/states.tsx'
import { call } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { defineMessages } from '../../../lib/i18n.ts'

/** Words of dialogs about many channels. */
export const useBulkMessages = defineMessages('channel-bulk', {
  zh: {
    reading: '正在读取匹配的渠道…',
    tagEmpty: '标签不能为空！',
    tagLabel: '标签名称',
    removeTag: '移除标签',
    chosen: '已选择 {{count}} 个渠道',
    apply: '应用',
    cancel: '取消',
  },
  en: {
    reading: 'Loading matching channels…',
    tagEmpty: 'Enter a tag',
    tagLabel: 'Tag name',
    removeTag: 'Remove tag',
    chosen_one: 'One channel selected',
    chosen_other: '{{count}} channels selected',
    apply: 'Apply',
    cancel: 'Cancel',
  },
})

/** Channels that were picked, or all that fit the filters. */
export type ChannelTarget = { rows: readonly Channel[] } | { matching: Matching }

const readMatching = async ({ filter }: Matching, onRead: (count: number) => boolean): Promise<Channel[]> => {
  // By id: rows that are made or reordered meanwhile move no other over the edge of a page.
  const { rows } = await readAll(async (p, page_size) => {
    const page = await call(calls.browseChannels, { query: { ...filter, p, page_size, sort: '-id' } })
    return onRead((p - 1) * page_size + page.items.length) ? page : { ...page, items: [] }
  })
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

interface ChosenChannelsProps {
  target: ChannelTarget
  onClose: () => void
  children: (channels: readonly Channel[]) => ReactNode
}

/** Reads the channels that match, page by page, then draws the panel about them. */
export const ChosenChannels = ({ target, onClose, children }: ChosenChannelsProps) => {
  const say = useBulkMessages()
  const ui = useUiMessages()
  const [channels, setChannels] = useState('rows' in target ? target.rows : undefined)
  const [count, setCount] = useState(0)
  const [problem, setProblem] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    if ('rows' in target) return
    let isOpen = true
    setProblem(undefined)
    readMatching(target.matching, (read) => {
      if (isOpen) setCount(read)
      return isOpen
    }).then(
      (found) => isOpen && setChannels(found),
      (error: unknown) => isOpen && setProblem(error),
    )
    return () => {
      isOpen = false
    }
  }, [target, attempt])

  if (channels) return children(channels)
  const total = 'matching' in target ? target.matching.count : 0
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': ui('close') }}
      title={<strong className="strong">{say('reading')}</strong>}
    >
      {problem === undefined ? (
        <progress className={batchClasses.bar} value={count} max={Math.max(1, total)} aria-label={say('reading')} />
      ) : (
        <ErrorState error={problem} onRetry={() => setAttempt(attempt + 1)} />
      )}
    </Modal>
  )
}
