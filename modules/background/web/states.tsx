import { backgroundStates } from 'virtual:contract'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import type { ListedBackground } from '#web/lib/api/contract.ts'
import { type SayBackground, useBackgroundMessages } from './messages.ts'

const tones = {
  queued: 'warn',
  in_progress: 'info',
  cancelling: 'neutral',
} as const satisfies Record<ListedBackground['state'], Tone>

export const BackgroundState = ({ state }: Pick<ListedBackground, 'state'>) => {
  const say = useBackgroundMessages()
  return <StatusBadge tone={tones[state]} label={say(`state_${state}`)} />
}

/** True while a response can be cancelled. */
export const isCancellable = ({ state }: Pick<ListedBackground, 'state'>): boolean => state !== 'cancelling'

export const stateOptions = (say: SayBackground) =>
  backgroundStates.map((value) => ({ value, label: say(`state_${value}`) }))
