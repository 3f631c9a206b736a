import { refusedContent } from '@tollgate/contract'
import type { JournalRecord } from '../../journal/journal-record.ts'
import type { TaskStart } from '../../relay/ports.ts'

const longestPlain = 100

/** Letters that no engine, character set or rule of an operator takes offence at. */
const plain = (text: string): string => text.slice(0, longestPlain).replace(/[^\w .:@/+-]/g, '?')

const otherOf = ({ receipt }: JournalRecord): string =>
  receipt === undefined ? '{"refused":true}' : `{"refused":true,"receipt":${receipt}}`

const reducedTask = (task: TaskStart): TaskStart => ({
  ...task,
  taskId: plain(task.taskId),
  action: plain(task.action),
  status: plain(task.status),
  progress: plain(task.progress),
  keyHash: plain(task.keyHash),
  prompt: '',
  description: '',
  state: '',
  imageUrl: '',
  failReason: '',
})

const withPlainTexts = (record: JournalRecord): JournalRecord => {
  const { task, ...rest } = record
  return {
    ...rest,
    model: plain(record.model),
    group: plain(record.group),
    username: plain(record.username),
    tokenName: plain(record.tokenName),
    ip: plain(record.ip),
    content: refusedContent,
    other: otherOf(record),
    ...(task === undefined ? {} : { task: reducedTask(task) }),
  }
}

const withoutTexts = ({ task: _, ...record }: JournalRecord): JournalRecord => ({
  ...record,
  model: '',
  group: '',
  username: '',
  tokenName: '',
  ip: '',
  content: refusedContent,
  other: otherOf(record as JournalRecord),
})

/**
 * The same request with the same money and fewer texts, in the order in which they are tried: names in plain letters, then
 * nothing that anybody chose, and no task.
 */
export const reducedRecords = (record: JournalRecord): readonly JournalRecord[] => [
  withPlainTexts(record),
  withoutTexts(record),
]
