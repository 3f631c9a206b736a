import { batchForms, batchStates } from 'virtual:contract'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import type { ListedBatch } from '#web/lib/api/contract.ts'
import { type SayBatch, useBatchMessages } from './messages.ts'

const tones = {
  validating: 'info',
  in_progress: 'info',
  finalizing: 'info',
  cancelling: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  expired: 'warn',
} as const satisfies Record<ListedBatch['state'], Tone>

export const BatchState = ({ state }: Pick<ListedBatch, 'state'>) => {
  const say = useBatchMessages()
  return <StatusBadge tone={tones[state]} label={say(`state_${state}`)} />
}

/** True while a batch can be cancelled. */
export const isCancellable = ({ state }: Pick<ListedBatch, 'state'>): boolean =>
  state === 'validating' || state === 'in_progress'

export const stateOptions = (say: SayBatch) => batchStates.map((value) => ({ value, label: say(`state_${value}`) }))

export const formOptions = (say: SayBatch) => batchForms.map((value) => ({ value, label: say(`form_${value}`) }))
