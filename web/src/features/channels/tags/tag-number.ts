import { useState } from 'react'
import { putBack, reasonsOf } from '../../../components/batch/put-back.ts'
import { call } from '../../../lib/api/api.ts'
import { type BodyInputOf, type batchChannels, type Channel, calls } from '../../../lib/api/contract.ts'
import { notifyOffer } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { aboutChannels } from '../about-channels.ts'
import { type Field, useTick } from '../inline-number.tsx'
import { useChannelMessages } from '../messages.ts'
import { useTagMessages } from './tag-messages.ts'
import type { TagRow } from './tag-rows.ts'

type Act = BodyInputOf<typeof batchChannels>['act']

/** Gives channels back what a field of theirs held, which may have differed; resolves to why some could not be. */
export const putBackChannels = async (
  channels: readonly Channel[],
  field: 'status' | 'priority' | 'weight',
  actOf: (value: unknown) => Act | undefined,
): Promise<string[]> => {
  const before = channels.map((channel) => ({ id: channel.id, value: channel[field] }))
  return reasonsOf(await putBack(before, actOf, (which, act) => call(calls.batchChannels, { body: { which, act } })))
}

/** A number that all channels of a tag shall have. */
export interface TagNumber {
  row: TagRow
  field: Field
  value: number
}

const actOf = (field: Field, value: number): BodyInputOf<typeof batchChannels>['act'] =>
  field === 'weight' ? { kind: 'weight', weight: value } : { kind: 'priority', priority: value }

/** Sets a number of all channels of a tag, which can be undone. */
export const useTagNumber = (): {
  /** The most recently saved change, for a short time. */
  saved: TagNumber | undefined
  /** Rejects when the change is refused. */
  setNumber: (change: TagNumber) => Promise<void>
} => {
  const say = useChannelMessages()
  const sayTag = useTagMessages()
  const [saved, setSaved] = useState<TagNumber>()
  const [ticked, tick] = useTick()

  const report = {
    onDone: (_: unknown, change: TagNumber): void => {
      setSaved(change)
      tick()
    },
    refresh: aboutChannels,
    refreshAfterFailure: aboutChannels,
  }
  const undo = useAction(async (change: TagNumber): Promise<void> => {
    const reasons = await putBackChannels(change.row.channels, change.field, (value) =>
      actOf(change.field, Number(value)),
    )
    if (reasons.length > 0)
      throw new Error(sayTag('undoFailed', { count: reasons.length, reasons: reasons.join('\n') }))
  }, report)
  const set = useAction(async (change: TagNumber): Promise<void> => {
    const { row, field, value } = change
    await call(calls.updateTag, { body: { tag: row.tag, [field]: value } })
    const from = row[field] ?? sayTag('mixed')
    const facts = { tag: row.tag, count: row.channels.length, field: say(field), from, to: value }
    notifyOffer(sayTag('tagCellSaved', facts), say('undo'), () => void undo.run(change))
  }, report)
  return { saved: ticked ? saved : undefined, setNumber: set.submit }
}
