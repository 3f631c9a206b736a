import { getAffCode, transferAffQuota } from '@tollgate/contract'
import type { FeatureKit } from '../../app/parts.ts'
import { amountText, bareAmountText } from '../../billing/amounts/amount-text.ts'
import type { On } from '../../http/route.ts'
import { createInvitations, type Invitations } from './invitations.ts'

/** The console's calls for inviting others. */
export const invitationRoutes = (on: On, invitations: Invitations): void => {
  on(getAffCode, async ({ caller }) => ({ data: await invitations.code(caller.id) }))
  on(transferAffQuota, async ({ caller, body }) => {
    await invitations.transfer(caller.id, body.quota)
    return { message: '划转成功' }
  })
}

/** Joins the rewards for invited users. */
export const joinInvitations = ({
  database,
  ledger,
  options,
  on,
}: Pick<FeatureKit, 'database' | 'ledger' | 'options' | 'on'>): void => {
  const style = () => ({
    inCurrency: options.get('DisplayInCurrencyEnabled'),
    quotaPerUnit: options.get('QuotaPerUnit'),
  })
  const invitations = createInvitations({
    database,
    ledger: ledger.movements,
    quotaPerUnit: () => options.get('QuotaPerUnit'),
    amountText: (quota) => amountText(quota, style()),
    bareAmountText: (quota) => bareAmountText(quota, style()),
  })
  invitationRoutes(on, invitations)
}
