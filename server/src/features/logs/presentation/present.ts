import {
  channelTestLabel,
  type Language,
  type LogEntry,
  type LogPlace,
  logType,
  writeLogError,
  writeLogText,
} from '@tollgate/contract'
import { isObject, parseJson, parseObject } from '@tollgate/contract/json'
import { readTags } from '../../../billing/call-tags.ts'
import type { LogRow } from '../store.ts'
import { chargeSentence } from './charge-sentence.ts'

/** The row's sentence in a language, where its code and figures are known; others are shown as they are stored. */
const contentOf = ({ type, content, other }: LogRow, language: Language): string => {
  if (content === channelTestLabel) return language === 'zh' ? content : 'Channel test'
  if (other.includes('"text":{')) return writeLogText(parseObject(other).text, language) ?? content
  if (language === 'zh') return content
  if (type === logType.error) return writeLogError(parseObject(other).error_text, language) ?? content
  return type === logType.consume ? chargeSentence(content, parseObject(other), language) : content
}

/** A stored row as admins see it, its sentence in the reader's language. */
export const forOperator = (row: LogRow, channelName: string, language: Language, place?: LogPlace): LogEntry => {
  const { channel_id, is_stream, cut, tags, end_user, provisional, ...shown } = row
  const entry = {
    ...shown,
    content: contentOf(row, language),
    is_stream: is_stream === 1,
    channel: channel_id,
    channel_name: channelName,
    ...(tags && { tags: readTags(tags) }),
    ...(end_user && { end_user }),
    ...(provisional === 1 && { provisional: true }),
    ...(place && { place }),
  }
  return cut === 1 ? { ...entry, cut: true } : entry
}

/** The same for the user it is about: without `admin_info` and the channel. */
export const forOwner = (row: LogRow, language: Language): LogEntry => ({
  ...forOperator(row, '', language),
  channel: 0,
  other: withoutAdminInfo(row.other),
})

const withoutAdminInfo = (other: string): string => {
  if (!other.includes('admin_info')) return other
  const value = parseJson(other)
  // Unreadable text that mentions it is rather not shown at all.
  return isObject(value) ? JSON.stringify({ ...value, admin_info: undefined }) : ''
}
