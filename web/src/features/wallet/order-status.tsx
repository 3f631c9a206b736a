import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import type { TopUpOrder } from '../../lib/api/contract.ts'
import { useWalletWords } from './messages.ts'

const tones: Readonly<Record<TopUpOrder['status'], Tone>> = { pending: 'warn', success: 'good', expired: 'neutral' }

export const OrderStatus = ({ status }: { status: TopUpOrder['status'] }) => {
  const say = useWalletWords()
  return <StatusBadge tone={tones[status]} label={say(`status_${status}`)} />
}
