import { type ReactNode, useState } from 'react'
import type { Chosen } from '../../../components/batch/chosen.ts'
import { useBatch } from '../../../components/batch/use-batch.tsx'
import { call } from '../../../lib/api/api.ts'
import { type BodyInputOf, type batchChannels, calls } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import type { Asked } from './asked-value.ts'

const GroupDialog = onDemand(async () => (await import('../../../components/batch/group-dialog.tsx')).GroupDialog)
const RemoveChosen = onDemand(async () => (await import('./remove-dialog.tsx')).RemoveChosen)
const ValueDialog = onDemand(async () => (await import('./bulk-dialogs.tsx')).ValueDialog)

type Act = BodyInputOf<typeof batchChannels>['act']
type Question = Asked | 'group' | 'delete'

const actOf = (asked: Asked | 'group', text: string): Act => {
  if (asked === 'group') return { kind: 'group', group: text }
  if (asked === 'tag') return { kind: 'tag', tag: text || null }
  return asked === 'priority' ? { kind: 'priority', priority: Number(text) } : { kind: 'weight', weight: Number(text) }
}

export interface BulkChannels {
  setStatus: (chosen: Chosen, status: 1 | 2) => void
  ask: (asked: Asked | 'group', chosen: Chosen) => void
  remove: (chosen: Chosen) => void
  /** Render once. */
  dialogs: ReactNode
}

/** Changes several channels at once; a summary tells what failed and tries again. */
export const useBulkChannels = (): BulkChannels => {
  const [asked, setAsked] = useState<{ what: Question; chosen: Chosen }>()
  const { data: groups } = useEndpoint(calls.listGroups, {}, { enabled: asked?.what === 'group' })
  const batch = useBatch(
    (which, act: Act) => call(calls.batchChannels, { body: { which, act } }),
    [calls.browseChannels, calls.searchChannels],
  )
  const apply = (text: string): void => {
    if (!asked || asked.what === 'delete') return
    setAsked(undefined)
    void batch.run(asked.chosen, actOf(asked.what, text))
  }
  const close = (): void => setAsked(undefined)
  const count = asked?.chosen.count ?? 0
  return {
    setStatus: (chosen, status) => void batch.run(chosen, { kind: 'status', status }),
    ask: (what, chosen) => setAsked({ what, chosen }),
    remove: (chosen) => setAsked({ what: 'delete', chosen }),
    dialogs: (
      <>
        {asked?.what === 'group' && (
          <GroupDialog chosen={asked.chosen} groups={groups ?? []} several onClose={close} onApply={apply} />
        )}
        {asked && asked.what !== 'delete' && asked.what !== 'group' && (
          <ValueDialog asked={asked.what} count={count} onClose={close} onApply={apply} />
        )}
        {asked?.what === 'delete' && (
          <RemoveChosen
            chosen={asked.chosen}
            onClose={close}
            onConfirm={() => void batch.run(asked.chosen, { kind: 'delete' })}
          />
        )}
        {batch.dialog}
      </>
    ),
  }
}
