import { drawingStatuses } from 'virtual:contract'
import { ownMember } from '@tollgate/contract/own-member'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import { type SayDrawing, useDrawingMessages } from './messages.ts'

const tones = {
  SUCCESS: 'good',
  NOT_START: 'neutral',
  SUBMITTED: 'warn',
  IN_PROGRESS: 'info',
  FAILURE: 'bad',
  MODAL: 'warn',
} as const satisfies Record<(typeof drawingStatuses)[number], Tone>

const isKnown = (status: string): status is keyof typeof tones => Object.hasOwn(tones, status)

/** State of a drawing; an unknown one is labelled as such. */
export const DrawingStatus = ({ status }: { status: string }) => {
  const say = useDrawingMessages()
  return isKnown(status) ? (
    <StatusBadge tone={tones[status]} label={say(status)} />
  ) : (
    <StatusBadge tone="neutral" label={say('unknown')} />
  )
}

const codes = {
  0: { tone: 'warn', word: 'code0' },
  1: { tone: 'good', word: 'code1' },
  21: { tone: 'info', word: 'code21' },
  22: { tone: 'warn', word: 'code22' },
} as const

/** The upstream's message when the task was submitted. */
export const SubmitResult = ({ code }: { code: number }) => {
  const say = useDrawingMessages()
  const result = ownMember<(typeof codes)[keyof typeof codes]>(codes, String(code))
  return <StatusBadge tone={result?.tone ?? 'neutral'} label={say(result?.word ?? 'unknown')} />
}

export const drawingActions = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
] as const

export const actionText = (action: string, say: SayDrawing): string => {
  const knownAction = drawingActions.find((name) => name === action)
  return say(knownAction ? `action_${knownAction}` : 'unknown')
}

export const statusOptions = (say: SayDrawing) => drawingStatuses.map((value) => ({ value, label: say(value) }))
