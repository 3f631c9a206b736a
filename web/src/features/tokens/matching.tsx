import { type ReactNode, useState } from 'react'
import type { Chosen } from '../../components/batch/chosen.ts'
import { useBatchWords } from '../../components/batch/messages.ts'
import { useBatch } from '../../components/batch/use-batch.tsx'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { call } from '../../lib/api/api.ts'
import { type BodyInputOf, type batchTokens, calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useTokenWords } from './messages.ts'

const GroupDialog = onDemand(async () => (await import('../../components/batch/group-dialog.tsx')).GroupDialog)

type Act = BodyInputOf<typeof batchTokens>['act']

interface MatchingTokens {
  setStatus: (chosen: Chosen, status: 1 | 2) => Promise<void>
  /** Asks for the group first. */
  setGroup: (chosen: Chosen) => void
  /** Asks for the number first. */
  remove: (chosen: Chosen) => void
  /** Render once. */
  dialogs: ReactNode
}

/** Actions on all keys that match the filters, or on the selected ones. */
export const useMatchingTokens = (): MatchingTokens => {
  const say = useTokenWords()
  const sayBatch = useBatchWords()
  const [removing, setRemoving] = useState<Chosen>()
  const [grouping, setGrouping] = useState<Chosen>()
  const { data: groups } = useEndpoint(calls.getOwnGroups, {}, { enabled: grouping !== undefined })
  const batch = useBatch((which, act: Act) => call(calls.batchTokens, { body: { which, act } }), [calls.browseTokens])
  const count = removing?.count ?? 0
  return {
    setStatus: (chosen, status) => batch.run(chosen, { kind: 'status', status }),
    setGroup: setGrouping,
    remove: setRemoving,
    dialogs: (
      <>
        {removing && (
          <ConfirmAction
            opened
            onClose={() => setRemoving(undefined)}
            title={say('deleteManyTitle', { count })}
            effect={say('deleteEffect')}
            confirmLabel={say('deleteConfirm')}
            typeToConfirm={String(count)}
            typeLabel={sayBatch('typeLabel', { count })}
            onConfirm={() => void batch.run(removing, { kind: 'delete' })}
            danger
          />
        )}
        {grouping && (
          <GroupDialog
            chosen={grouping}
            groups={Object.keys(groups ?? {})}
            noneLabel={say('userGroup')}
            onClose={() => setGrouping(undefined)}
            onApply={(group) => {
              setGrouping(undefined)
              void batch.run(grouping, { kind: 'group', group })
            }}
          />
        )}
        {batch.dialog}
      </>
    ),
  }
}
