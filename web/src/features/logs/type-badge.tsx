import { ownMember } from '@tollgate/contract/own-member'
import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import type { LogEntry } from '../../lib/api/contract.ts'
import { useLogMessages } from './messages.ts'
import { otherOf } from './other.ts'

const types = {
  0: { tone: 'neutral', word: 'type0' },
  1: { tone: 'info', word: 'type1' },
  2: { tone: 'good', word: 'type2' },
  3: { tone: 'warn', word: 'type3' },
  4: { tone: 'neutral', word: 'type4' },
  5: { tone: 'bad', word: 'type5' },
} as const satisfies Record<number, { tone: Tone; word: string }>

/** A log row's type; failures show the status that the client got. */
export const TypeBadge = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const type = ownMember<(typeof types)[keyof typeof types]>(types, String(log.type)) ?? types[0]
  const { status } = otherOf(log)
  const label = log.type === 5 && status ? `${say('type5')} ${status}` : say(type.word)
  return <StatusBadge tone={type.tone} label={label} />
}
