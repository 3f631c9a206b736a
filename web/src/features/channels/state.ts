import { parseObject } from '@tollgate/contract/json'
import type { Tone } from '../../components/display/status-badge.tsx'
import { type Channel, channelStatus } from '../../lib/api/contract.ts'
import { causeText } from '../../lib/text/refusal-text.ts'
import type { SayChannel } from './messages.ts'

/** Why and when a channel was disabled automatically; 0 where the time is not known. */
export const reasonOf = ({
  disabled_cause: cause,
  other_info,
}: Pick<Channel, 'disabled_cause' | 'other_info'>): { reason: string; time: number } | undefined => {
  if (cause === undefined) return undefined
  const { status_time: time } = parseObject(other_info)
  return { reason: causeText(cause), time: typeof time === 'number' ? time : 0 }
}

/** `isFailing` channels are enabled, and answer none or too few of their calls. */
export const statusOf = (status: number, say: SayChannel, isFailing = false): { tone: Tone; label: string } => {
  if (status === channelStatus.enabled && isFailing) return { tone: 'warn', label: say('failing') }
  if (status === channelStatus.enabled) return { tone: 'good', label: say('enabled') }
  if (status === channelStatus.disabled) return { tone: 'neutral', label: say('disabled') }
  if (status === channelStatus.autoDisabled) return { tone: 'bad', label: say('autoDisabled') }
  return { tone: 'neutral', label: say('unknownStatus') }
}

export type Speed = 'untested' | 'good' | 'fair' | 'slow' | 'bad'

/** Untested when 0, green to 1 s, lime to 3 s, yellow to 5 s, red above. */
export const speedOf = (milliseconds: number): Speed => {
  if (milliseconds === 0) return 'untested'
  if (milliseconds <= 1000) return 'good'
  if (milliseconds <= 3000) return 'fair'
  return milliseconds <= 5000 ? 'slow' : 'bad'
}

const speedWords = {
  good: 'speedGood',
  fair: 'speedFair',
  slow: 'speedSlow',
  bad: 'speedBad',
  untested: 'untested',
} as const
export const speedWord = (speed: Speed, say: SayChannel): string => say(speedWords[speed])

/** A priority as the table and the form read it; undefined unless it is a whole number. */
export const readPriority = (text: string): number | undefined => {
  const value = Number(text)
  return text.trim() !== '' && Number.isSafeInteger(value) ? value : undefined
}

/** A weight; undefined unless it is a whole number of 0 or more. */
export const readWeight = (text: string): number | undefined => {
  const value = readPriority(text)
  return value === undefined || value < 0 ? undefined : value
}

export const leastPriority = -999
