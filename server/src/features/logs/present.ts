import type { Log } from '@tollgate/contract'
import type { LogRow } from './store.ts'

/** A stored row as admins see it. */
export const forOperator = (row: LogRow, channelName: string): Log => {
  const { channel_id, is_stream, cut, ...shown } = row
  const known = { ...shown, is_stream: is_stream === 1, channel: channel_id, channel_name: channelName }
  return cut === 1 ? { ...known, cut: true } : known
}

/** The same for the user it is about: without `admin_info` and the channel. */
export const forOwner = (row: LogRow): Log => ({
  ...forOperator(row, ''),
  channel: 0,
  other: withoutAdminInfo(row.other),
})

const withoutAdminInfo = (other: string): string => {
  if (!other.includes('admin_info')) return other
  try {
    const value: unknown = JSON.parse(other)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
    return JSON.stringify({ ...value, admin_info: undefined })
  } catch {
    // Unreadable text that mentions it is rather not shown at all.
    return ''
  }
}
