import { videoStates } from 'virtual:contract'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import type { ListedVideo } from '#web/lib/api/contract.ts'
import { type SayVideo, useVideoMessages } from './messages.ts'

const tones = {
  queued: 'warn',
  in_progress: 'info',
  completed: 'good',
  failed: 'bad',
} as const satisfies Record<ListedVideo['state'], Tone>

export const VideoState = ({ state }: Pick<ListedVideo, 'state'>) => {
  const say = useVideoMessages()
  return <StatusBadge tone={tones[state]} label={say(`state_${state}`)} />
}

export const isOver = ({ state }: Pick<ListedVideo, 'state'>): boolean => state === 'completed' || state === 'failed'

export const stateOptions = (say: SayVideo) => videoStates.map((value) => ({ value, label: say(`state_${value}`) }))
