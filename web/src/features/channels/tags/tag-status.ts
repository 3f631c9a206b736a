import { call } from '../../../lib/api/api.ts'
import { calls } from '../../../lib/api/contract.ts'
import { notifyOffer } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { isSetStatus, type SetStatus, useChangeMessages } from '../../../lib/status-change.ts'
import { aboutChannels } from '../about-channels.ts'
import { useTagMessages } from './tag-messages.ts'
import { putBackChannels } from './tag-number.ts'
import type { TagRow } from './tag-rows.ts'

/** Enables or disables all channels of a tag, says how many changed, and offers to give each its own status back. */
export const useTagStatus = (): ((row: TagRow, status: SetStatus) => Promise<void>) => {
  const sayTag = useTagMessages()
  const sayChange = useChangeMessages()
  const reading = { refresh: aboutChannels, refreshAfterFailure: aboutChannels }
  const undo = useAction(async ({ channels }: TagRow): Promise<void> => {
    const reasons = await putBackChannels(channels, 'status', (value) =>
      isSetStatus(value) ? { kind: 'status', status: value } : undefined,
    )
    if (reasons.length > 0) {
      throw new Error(sayTag('undoFailed', { count: reasons.length, reasons: reasons.join('\n') }))
    }
  }, reading)
  const canUndo = (changed: TagRow['channels']): boolean => changed.some((channel) => isSetStatus(channel.status))
  const message = (changed: TagRow['channels'], { tag }: TagRow, status: SetStatus): string =>
    sayTag(status === 1 ? 'tagEnabled' : 'tagDisabled', { tag, count: changed.length })
  const set = useAction(
    async (row: TagRow, status: SetStatus): Promise<TagRow['channels']> => {
      await call(status === 1 ? calls.enableTag : calls.disableTag, { body: { tag: row.tag } })
      return row.channels.filter((channel) => channel.status !== status)
    },
    {
      ...reading,
      done: (changed, row, status) => (canUndo(changed) ? undefined : message(changed, row, status)),
      onDone: (changed, row, status) => {
        if (!canUndo(changed)) return
        notifyOffer(
          message(changed, row, status),
          sayChange('undo'),
          () => void undo.run({ ...row, channels: changed }),
        )
      },
    },
  )
  return async (row, status) => {
    await set.run(row, status)
  }
}
