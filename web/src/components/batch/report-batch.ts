import type { BatchResult } from '../../lib/api/contract.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { notifyDone, notifyFailure, notifyOffer } from '../../lib/notify.tsx'
import { useChangeMessages } from '../../lib/status-change.ts'
import type { Chosen } from './chosen.ts'
import { type BatchTexts, putBack, reasonsOf } from './put-back.ts'
import type { BatchRows, BatchTally } from './tally.ts'

export { runBatch } from './run-batch.ts'

const useUndoMessages = defineMessages('batch-undo', {
  zh: { undone: '已撤销，{{count}} 条记录恢复原样', undoFailed: '未能全部恢复：{{reasons}}' },
  en: {
    undone_one: 'Undone: one row is as it was',
    undone_other: 'Undone: {{count}} rows are as they were',
    undoFailed: 'Not all could be put back: {{reasons}}',
  },
})

interface Finished<Act> {
  act: Act
  chosen: Chosen
  tally: BatchTally
  texts: BatchTexts<Act>
  send: (which: BatchRows, act: Act) => Promise<BatchResult>
  refresh: () => Promise<void>
}

/** Says what a bulk action did, and offers to undo it where any of the rows can be put back. */
export const reportBatch = <Act>({ act, chosen, tally, texts, send, refresh }: Finished<Act>): void => {
  const say = useUndoMessages.say
  const message = texts.doneText(act, { count: tally.done, name: tally.done === 1 ? chosen.name : undefined })
  const undoOf = (value: BatchResult['before'][number]['value']) => texts.undoOf(act, value)
  const back = tally.before.filter(({ value }) => undoOf(value) !== undefined)
  if (back.length === 0) {
    notifyDone(message)
    return
  }
  const undoneText = (count: number): string => {
    const [first, ...others] = new Set(back.map(({ value }) => value))
    const undoing = first === undefined || others.length > 0 ? undefined : undoOf(first)
    return undoing === undefined
      ? say('undone', { count })
      : texts.doneText(undoing, { count, name: count === 1 ? chosen.name : undefined })
  }
  const undo = async (): Promise<void> => {
    const undone = await putBack(back, undoOf, send)
    await refresh()
    const reasons = reasonsOf(undone)
    if (reasons.length > 0) notifyFailure(say('undoFailed', { reasons: reasons.join('\n') }))
    else notifyDone(undoneText(undone.done))
  }
  notifyOffer(message, useChangeMessages.say('undo'), () => void undo())
}
