import { ownMember } from '@tollgate/contract/own-member'
import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import type { TopUpOrder } from '../../lib/api/contract.ts'
import { useWalletMessages } from './messages.ts'

const tones: Readonly<Record<TopUpOrder['status'], Tone>> = { pending: 'warn', success: 'good', expired: 'neutral' }

export const OrderStatus = ({ status }: { status: TopUpOrder['status'] }) => {
  const say = useWalletMessages()
  const key = `status_${status}`
  const label = useWalletMessages.has(key) ? say(key) : status
  return <StatusBadge tone={ownMember(tones, status) ?? 'neutral'} label={label} />
}
