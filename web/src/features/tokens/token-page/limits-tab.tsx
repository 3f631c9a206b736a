import { LimitStates } from '../../../components/limits/limit-states.tsx'
import type { Token } from '../../../lib/api/contract.ts'
import { Limits } from './limits.tsx'

/** Restrictions of the key that a call must pass, then the limits and budgets that count it. One part, so that neither moves the other. */
export const LimitsTab = ({ token, isOwn }: { token: Token; isOwn: boolean }) => (
  <>
    <Limits token={token} isOwn={isOwn} />
    <LimitStates of={{ key: token.id }} isOwn={isOwn} />
  </>
)
