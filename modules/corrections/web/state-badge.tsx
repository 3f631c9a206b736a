import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import type { Correction } from '#web/lib/api/contract.ts'
import { useCorrectionMessages } from './messages.ts'

const tones: Readonly<Record<Correction['state'], Tone>> = {
  preparing: 'info',
  ready: 'warn',
  applying: 'info',
  done: 'good',
  cancelled: 'neutral',
}

export const StateBadge = ({ correction }: { correction: Correction }) => {
  const say = useCorrectionMessages()
  return <StatusBadge tone={tones[correction.state]} label={say(`state_${correction.state}`)} />
}
