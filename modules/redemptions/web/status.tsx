import { redemptionExpired, redemptionStatus } from 'virtual:contract'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import type { Redemption } from '#web/lib/api/contract.ts'
import type { SayRedemption } from './messages.ts'

/** True if an unused code has expired (`now` in unix seconds). */
export const isExpired = ({ status, expired_time }: Redemption, now: number): boolean =>
  status === redemptionStatus.unused && expired_time > 0 && expired_time <= now

/** Its status as filters name it. */
export const filterStatus = (code: Redemption, now: number): number =>
  isExpired(code, now) ? redemptionExpired : code.status

const statuses: Readonly<Record<number, { word: 'unused' | 'disabled' | 'used'; tone: Tone }>> = {
  [redemptionStatus.unused]: { word: 'unused', tone: 'good' },
  [redemptionStatus.disabled]: { word: 'disabled', tone: 'bad' },
  [redemptionStatus.used]: { word: 'used', tone: 'neutral' },
}

/** The state of a code in words. */
export const statusWord = (code: Redemption, say: SayRedemption, now: number): string =>
  isExpired(code, now) ? say('expired') : say(statuses[code.status]?.word ?? 'unknownStatus')

export const RedemptionStatusBadge = ({ code, say, now }: { code: Redemption; say: SayRedemption; now: number }) => (
  <StatusBadge
    tone={isExpired(code, now) ? 'warn' : (statuses[code.status]?.tone ?? 'neutral')}
    label={statusWord(code, say, now)}
  />
)
