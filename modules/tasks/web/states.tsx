import { taskStatuses } from 'virtual:contract'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import { type SayTask, useTaskMessages } from './messages.ts'

const tones = {
  SUCCESS: 'good',
  NOT_START: 'neutral',
  SUBMITTED: 'warn',
  IN_PROGRESS: 'info',
  FAILURE: 'bad',
  QUEUED: 'warn',
  UNKNOWN: 'neutral',
} as const satisfies Record<(typeof taskStatuses)[number], Tone>

const isKnown = (status: string): status is keyof typeof tones => Object.hasOwn(tones, status)

/** State of a task: an empty one is being submitted, an unknown one is labelled as such. */
export const TaskStatus = ({ status }: { status: string }) => {
  const say = useTaskMessages()
  if (status === '') return <StatusBadge tone="neutral" label={say('submitting')} />
  return isKnown(status) ? (
    <StatusBadge tone={tones[status]} label={say(status)} />
  ) : (
    <StatusBadge tone="neutral" label={say('unknown')} />
  )
}

export const platformText = (platform: string, say: SayTask): string =>
  say(platform === 'suno' ? 'platform_suno' : 'unknown')

export const taskActions = ['MUSIC', 'LYRICS'] as const

export const actionText = (action: string, say: SayTask): string => {
  const knownAction = taskActions.find((name) => name === action)
  return say(knownAction ? `action_${knownAction}` : 'unknown')
}

export const statusOptions = (say: SayTask) => taskStatuses.map((value) => ({ value, label: say(value) }))
