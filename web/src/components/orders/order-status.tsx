import { ownMember } from '@tollgate/contract/own-member'
import type { TopUpOrder } from '../../lib/api/contract.ts'
import { StatusBadge, type Tone } from '../display/status-badge.tsx'
import { useOrderMessages } from './messages.ts'

const tones: Readonly<Record<TopUpOrder['status'], Tone>> = { pending: 'warn', success: 'good', expired: 'neutral' }

export const OrderStatus = ({ status }: { status: TopUpOrder['status'] }) => {
  const say = useOrderMessages()
  const key = `status_${status}`
  const label = useOrderMessages.has(key) ? say(key) : status
  return <StatusBadge tone={ownMember(tones, status) ?? 'neutral'} label={label} />
}
