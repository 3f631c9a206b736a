import { useState } from 'react'
import type { Chosen } from '../../../components/batch/chosen.ts'
import { BatchDialogs, type BatchRun, useBatch } from '../../../components/batch/use-batch.tsx'
import { call } from '../../../lib/api/api.ts'
import { type BodyInputOf, type batchChannels, calls } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import type { BulkField } from './bulk-field.ts'

const GroupDialog = onDemand(async () => (await import('../../../components/batch/group-dialog.tsx')).GroupDialog)
const RemoveChosen = onDemand(async () => (await import('./remove-dialog.tsx')).RemoveChosen)
const ValueDialog = onDemand(async () => (await import('./bulk-dialogs.tsx')).ValueDialog)

/** Loads the result texts with the first action. */
const loadTexts = async () => (await import('./batch-texts.ts')).channelBatchTexts

type Act = BodyInputOf<typeof batchChannels>['act']
type BulkQuestion = BulkField | 'group' | 'delete'

const actOf = (field: BulkField | 'group', text: string): Act => {
  if (field === 'group') return { kind: 'group', group: text }
  if (field === 'tag') return { kind: 'tag', tag: text || null }
  return field === 'priority' ? { kind: 'priority', priority: Number(text) } : { kind: 'weight', weight: Number(text) }
}

export interface BulkChannels {
  setStatus: (chosen: Chosen, status: 1 | 2) => void
  ask: (field: BulkField | 'group', chosen: Chosen) => void
  remove: (chosen: Chosen) => void
  /** The question that is open. */
  pending: { readonly what: BulkQuestion; readonly chosen: Chosen } | undefined
  close: () => void
  batch: BatchRun<Act>
}

/**
 * Changes several channels at once; a summary reports failures and can retry them. Render
 * `<BulkChannelsDialogs {...bulk} />` once.
 */
export const useBulkChannels = (): BulkChannels => {
  const [pending, setPending] = useState<BulkChannels['pending']>()
  const batch = useBatch(
    (which, act: Act) => call(calls.batchChannels, { body: { which, act } }),
    [calls.browseChannels, calls.searchChannels],
    loadTexts,
  )
  return {
    setStatus: (chosen, status) => void batch.run(chosen, { kind: 'status', status }),
    ask: (what, chosen) => setPending({ what, chosen }),
    remove: (chosen) => setPending({ what: 'delete', chosen }),
    pending,
    close: () => setPending(undefined),
    batch,
  }
}

/** The questions before several channels are changed, and the progress of the change. */
export const BulkChannelsDialogs = ({ pending, close, batch }: Pick<BulkChannels, 'pending' | 'close' | 'batch'>) => {
  const { data: groups } = useEndpoint(calls.listGroups, {}, { enabled: pending?.what === 'group' })
  const apply = (text: string): void => {
    if (!pending || pending.what === 'delete') return
    close()
    void batch.run(pending.chosen, actOf(pending.what, text))
  }
  const count = pending?.chosen.count ?? 0
  return (
    <>
      {pending?.what === 'group' && (
        <GroupDialog chosen={pending.chosen} groups={groups ?? []} several onClose={close} onApply={apply} />
      )}
      {pending && pending.what !== 'delete' && pending.what !== 'group' && (
        <ValueDialog field={pending.what} count={count} onClose={close} onApply={apply} />
      )}
      {pending?.what === 'delete' && (
        <RemoveChosen
          chosen={pending.chosen}
          onClose={close}
          onConfirm={() => void batch.run(pending.chosen, { kind: 'delete' })}
        />
      )}
      <BatchDialogs {...batch} />
    </>
  )
}
